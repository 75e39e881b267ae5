import { PanelRight } from 'lucide-react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { BatchRecord } from '../../shared/contract/records.ts'
import { toggleInspector } from '../app/layout.ts'
import { useKeys, useLayout, useWorkspace } from '../app/workspace-context.ts'
import { classes } from '../ui/class-names.ts'
import { IconButton } from '../ui/Button.tsx'
import { DetailsTab } from './DetailsTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { t } from '../../shared/language/text.ts'

export interface InspectorProps {
  readonly batch: BatchRecord
  /** Over the pictures instead of beside them. */
  readonly isFloating: boolean
}

/** The column on the right: settings of what is selected (or of the whole batch), and details of one image. */
export function Inspector({ batch, isFloating }: InspectorProps) {
  const workspace = useWorkspace()
  const keys = useKeys()
  const tab = useLayout((layout) => layout.inspectorTab)
  return (
    <aside
      className={classes('insp', isFloating && 'floating')}
      aria-label={t`Inspector`}
      data-region="inspector"
    >
      <Tabs
        className="insp-tabs"
        selectedKey={tab}
        onSelectionChange={(next) =>
          workspace.layout.setState({ inspectorTab: next === 'details' ? 'details' : 'settings' })
        }
      >
        <div className="insp-top">
          <TabList aria-label={t`Inspector`} className="row g2">
            <Tab id="settings" className="tab">
              {t`Settings`}
            </Tab>
            <Tab id="details" className="tab">
              {t`Details`}
            </Tab>
          </TabList>
          <span className="sp" />
          <IconButton
            icon={<PanelRight size={16} />}
            label={t`Fold the inspector`}
            keys={keys('mod+i')}
            onPress={() => toggleInspector(workspace.layout, !isFloating, false)}
          />
        </div>
        <TabPanel id="settings" className="insp-panel">
          <SettingsTab batch={batch} />
        </TabPanel>
        <TabPanel id="details" className="insp-panel">
          <DetailsTab batch={batch} />
        </TabPanel>
      </Tabs>
    </aside>
  )
}
