import { ChevronDown } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { isRetoucher } from '../../shared/settings.ts'
import { classes } from '../ui/class-names.ts'
import { MenuButton, type MenuEntry } from '../ui/Menu.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Section } from './Section.tsx'
import { t } from '../../shared/language/text.ts'

/** An app of the service's catalogue. */
export interface AppChoice {
  readonly id: string
  readonly title: string
  /** What the catalogue says of its parameters, as it came; the form is made from it. */
  readonly parameters?: unknown
}

export interface AppSectionProps {
  readonly apps: readonly AppChoice[]
  readonly appId: string
  /** The different apps of several images; one where all are the same. */
  readonly mixedApps: readonly string[]
  readonly onChange: (appId: string) => void
  readonly isDisabled: boolean
}

/** How many retouchers stand side by side. */
const sideBySide = 2

/** "Rescue" for "Jewelry Rescue": the short name under which a retoucher stands in the row. */
function shortTitle(app: AppChoice): string {
  const name = /rescue|precision/i.exec(`${app.title} ${app.id}`)?.[0].toLowerCase()
  return name === undefined || app.title.length <= 10 ? app.title : name[0]!.toUpperCase() + name.slice(1)
}

/** Which app retouches: the retouchers side by side, the rest of the catalogue in a menu. */
export function AppSection({ apps, appId, mixedApps, onChange, isDisabled }: AppSectionProps) {
  const front = apps.filter(isRetoucher).slice(0, sideBySide)
  const isMixed = mixedApps.length > 1
  const others = apps.filter((app) => !front.includes(app))
  const current = others.find((app) => app.id === appId)
  const isOther = !isMixed && !front.some((app) => app.id === appId)
  const entries = others.map((app): MenuEntry => ({
    kind: 'action',
    id: app.id,
    label: app.title,
    onAction: () => onChange(app.id),
  }))
  return (
    <Section
      title={t`Retoucher`}
      state={isMixed ? 'mixed' : 'sent'}
      control={
        <Segmented
          label={t`Retoucher`}
          options={front.map((app) => ({ value: app.id, label: shortTitle(app) }))}
          value={isMixed || isOther ? undefined : appId}
          mixed={isMixed ? mixedApps : undefined}
          onChange={onChange}
          isDisabled={isDisabled}
          trailing={
            others.length > 0 || isOther ? (
              <MenuButton label={t`More apps`} entries={entries} placement="bottom end">
                <AriaButton className={classes('seg-o', isOther && 'on')} isDisabled={isDisabled}>
                  <span className="ell more-app">{isOther ? (current?.title ?? appId) : t`More`}</span>
                  <ChevronDown size={12} className="f3" aria-hidden="true" />
                </AriaButton>
              </MenuButton>
            ) : undefined
          }
        />
      }
    />
  )
}
