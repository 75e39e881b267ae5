import { ArrowLeftRight, Pause, Play } from 'lucide-react'
import { figure } from '../app/format.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { useCompare, useComparison } from './compare-context.ts'
import { fastestRate } from './compare-session.ts'
import { rangeAt } from './range-at.ts'
import { t } from '../../shared/language/text.ts'

/** How often the two pictures change places: by themselves, or by hand. */
export function FlickerPanel() {
  const { session } = useComparison()
  const isOn = useCompare((state) => state.isFlickering)
  const rate = useCompare((state) => state.rate)
  const turn = useCompare((state) => state.turn)
  return (
    <section className="over-panel" aria-label={t`Flicker`}>
      <div className="row g6">
        <IconButton
          icon={isOn ? <Pause size={15} /> : <Play size={15} />}
          label={isOn ? t`Stop changing` : t`Change by itself`}
          size="s"
          onPress={() => session.set({ isFlickering: !isOn })}
        />
        <Button
          variant="ghost"
          size="s"
          icon={<ArrowLeftRight size={14} />}
          onPress={() => session.set({ isFlickering: false, turn: turn === 0 ? 1 : 0 })}
        >
          {t`Show the other`}
        </Button>
      </div>
      <label className="row g8 gain">
        <span>{t`Rate`}</span>
        <input
          className="plain-range"
          style={rangeAt((100 * (rate - 0.5)) / (fastestRate - 0.5))}
          type="range"
          min={0.5}
          max={fastestRate}
          step={0.5}
          value={rate}
          onChange={(event) => session.set({ rate: Number(event.target.value) })}
          aria-valuetext={t`${figure(rate)} changes a second`}
        />
        <b>{t`${figure(rate)} / s`}</b>
      </label>
    </section>
  )
}
