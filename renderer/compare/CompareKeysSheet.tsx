import { useKeys } from '../app/workspace-context.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { commandGroups, commands } from './commands.ts'
import { useComparison } from './compare-context.ts'

/** Keys that more than one thing listens to, told where they belong. */
const others: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  Modes: [
    ['F', 'Flicker'],
    ['F, held', 'The other picture'],
    ['← →', 'Move the split line (Shift: 10 %), while it has the focus'],
  ],
  'Zoom and place': [
    ['Wheel', 'Zoom; with the loupe 100, 200, 400 %'],
    ['Drag', 'Move the picture'],
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
      title="Shortcuts while comparing"
      isOpen
      isDismissable
      onClose={() => looking.setState({ sheet: undefined })}
      width={820}
    >
      <div className="keys-sheet">
        {commandGroups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
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
                      {/shift\+arrow/.test(command.keys[0]!) && <Kbd>Shift and an arrow</Kbd>}
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
