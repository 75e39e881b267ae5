import { useStore } from 'zustand'
import type { Measure } from '../../shared/contract/compare-records.ts'
import { figure } from '../app/format.ts'
import { useComparison } from './compare-context.ts'
import { gains } from './compare-session.ts'
import { rangeAt } from './range-at.ts'
import { t } from '../../shared/language/text.ts'

/** How much the difference is amplified, and what was measured over the whole files. */
export function DifferencePanel() {
  const { session } = useComparison()
  const { gain, measure, arranged } = useStore(session.state)
  const isShown = arranged?.mode === 'difference'
  return (
    <section className="over-panel" aria-label={t`Difference`}>
      {isShown && (
        <label className="row g8 gain">
          <span>{t`Gain`}</span>
          <input
            className="plain-range"
            style={rangeAt((100 * gains.indexOf(gain)) / (gains.length - 1))}
            type="range"
            min={0}
            max={gains.length - 1}
            step={1}
            value={gains.indexOf(gain)}
            onChange={(event) => session.set({ gain: gains[Number(event.target.value)] ?? 1 })}
            aria-valuetext={t`times ${gain}`}
          />
          <b>× {gain}</b>
        </label>
      )}
      {isShown ? (
        <dl aria-live="polite">{measure ? <Figures measure={measure} /> : <Measuring />}</dl>
      ) : (
        <p>{t`These pictures have different sizes, so they are shown split.`}</p>
      )}
    </section>
  )
}

function Measuring() {
  return (
    <div>
      <dt>{t`Measuring …`}</dt>
      <dd />
    </div>
  )
}

function Figures({ measure }: { readonly measure: Measure }) {
  if (measure.kind === 'sizes') return <p>{t`The sizes differ.`}</p>
  if (measure.kind === 'trouble') return <p>{measure.sentence}</p>
  const { changed, pixels, largest, outside } = measure
  const lines = [
    [t`Pixels changed`, changed === 0 ? t`none` : share(changed, pixels)],
    [t`Largest change`, t`${largest} of 255`],
    [t`Outside the item`, outsideWords(outside, pixels)],
  ] as const
  return lines.map(([name, value]) => (
    <div key={name}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  ))
}

function outsideWords(outside: number | null, pixels: number): string {
  if (outside === null) return t`not clear`
  return outside === 0 ? t`none` : share(outside, pixels)
}

/** "4.1 %"; never "0 %" where there is something. */
function share(part: number, all: number): string {
  const percent = (100 * part) / all
  return percent < 0.05 ? `< ${figure(0.1)} %` : `${figure(Math.round(percent * 10) / 10)} %`
}
