import { useKeys } from '../app/workspace-context.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { commandGroupNames, commandGroups, commands } from './commands.ts'
import { useComparison } from './compare-context.ts'
import { t } from '../../shared/language/text.ts'

/** Keys that more than one thing listens to, told where they belong. */
const others: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  Modes: [
    ['F', t`Flicker`],
    [t`F, held`, t`The other picture`],
    ['← →', t`Move the split line (Shift: 10 %), while it has the focus`],
  ],
  'Zoom and place': [
    [t`Wheel`, t`Zoom; with the loupe 100, 200, 400 %`],
    [t`Drag`, t`Move the picture`],
  ],
}

const arrowNames: Readonly<Record<string, string>> = { ARROWLEFT: '←', ARROWRIGHT: '→' }

/** `?`: every key of comparing, from the same list that they are bound by. */
export function CompareKeysSheet() {
  const { looking } = useComparison()
  const keys = useKeys()
  const print = (shortcut: string) => {
    const cap = keys(shortcut)
    return cap.replace(/ARROW(?:LEFT|RIGHT)/, (name) => arrowNames[name] ?? name)
  }
  return (
    <Sheet
      title={t`Shortcuts while comparing`}
      isOpen
      isDismissable
      onClose={() => looking.setState({ sheet: undefined })}
      width={820}
    >
      <div className="keys-sheet">
        {commandGroups.map((group) => (
          <section key={group} aria-label={commandGroupNames[group]}>
            <h3>{commandGroupNames[group]}</h3>
            <dl>
              {commands
                .filter((command) => command.group === group && command.label !== '')
                .map((command) => (
                  <div key={command.label}>
                    <dt>{command.label}</dt>
                    <dd>
                      {(/shift\+arrow/.test(command.keys[0]!) ? [] : command.keys).map((key) => (
                        <Kbd key={key}>{print(key)}</Kbd>
                      ))}
                      {/shift\+arrow/.test(command.keys[0]!) && <Kbd>{t`Shift and an arrow`}</Kbd>}
                    </dd>
                  </div>
                ))}
              {(others[group] ?? []).map(([key, words]) => (
                <div key={words}>
                  <dt>{words}</dt>
                  <dd>
                    <Kbd>{key}</Kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Sheet>
  )
}
