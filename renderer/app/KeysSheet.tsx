import { Kbd } from '../ui/Kbd.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { actionGroups, groupNames, labelOf } from './action.ts'
import { actions } from './actions.ts'
import { useKeys, useWorkspace } from './workspace-context.ts'
import { t } from '../../shared/language/text.ts'

/** Keys that the pictures themselves listen to. */
const pictureKeys: readonly (readonly [string, string])[] = [
  ['← ↑ → ↓', t`Move`],
  [t`Shift and an arrow`, t`Extend the selection`],
  [t`Home, End, PgUp, PgDn`, t`Jump`],
  [t`Space, held`, t`Large preview`],
  [t`Esc`, t`Clear the selection`],
]

/** `?`: every shortcut of the program, from the same list that they are bound by. */
export function KeysSheet() {
  const workspace = useWorkspace()
  const keys = useKeys()
  return (
    <Sheet title={t`Shortcuts`} isOpen isDismissable onClose={() => workspace.closeOverlay()} width={820}>
      <div className="keys-sheet">
        {actionGroups.map((group) => (
          <section key={group} aria-label={groupNames[group]}>
            <h3>{groupNames[group]}</h3>
            <dl>
              {actions
                .filter((action) => action.group === group && action.keys && !/^chip-[2-7]/.test(action.id))
                .map((action) => (
                  <div key={action.id}>
                    <dt>{action.id === 'chip-1' ? t`Filter chips` : labelOf(action, workspace)}</dt>
                    <dd>
                      <Kbd>
                        {action.id === 'chip-1'
                          ? t`${keys('alt+1')} to ${keys('alt+7')}`
                          : keys(action.keys?.[0] ?? '')}
                      </Kbd>
                    </dd>
                  </div>
                ))}
              {group === 'Images' &&
                pictureKeys.map(([key, words]) => (
                  <div key={key}>
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
