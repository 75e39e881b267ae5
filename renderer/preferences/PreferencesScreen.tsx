import { useStore } from 'zustand'
import { writeHash, type PreferencePage } from '../app/view.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { classes } from '../ui/class-names.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ConnectionsPage } from './ConnectionsPage.tsx'
import { GeneralPage, KeysPage, OutputPage, QueuePage } from './pages.tsx'
import { OwnFilesPage } from './OwnFilesPage.tsx'
import { PlacesPage } from './PlacesPage.tsx'
import { ProgramPage } from './ProgramPage.tsx'
import { t } from '../../shared/language/text.ts'

const pages: readonly (readonly [PreferencePage, string])[] = [
  ['general', t`General`],
  ['connections', t`Connections`],
  ['output', t`Output and names`],
  ['files', t`Own files`],
  ['queue', t`Queue`],
  ['keys', t`Keyboard`],
  ['places', t`Where data lies`],
  ['program', t`This program`],
]

function Page({ page }: { readonly page: PreferencePage }) {
  const preferences = useStore(useWorkspace().mirrors.preferences, ({ value }) => value)
  if (page === 'connections') return <ConnectionsPage />
  if (page === 'files') return <OwnFilesPage />
  if (page === 'places') return <PlacesPage />
  if (page === 'program') return <ProgramPage />
  if (!preferences) return <Skeleton height={120} />
  switch (page) {
    case 'general':
      return <GeneralPage preferences={preferences} />
    case 'output':
      return <OutputPage preferences={preferences} />
    case 'queue':
      return <QueuePage preferences={preferences} />
    case 'keys':
      return <KeysPage preferences={preferences} />
  }
}

/** What is set once and for all, on a few pages. */
export function PreferencesScreen({ page }: { readonly page: PreferencePage }) {
  const workspace = useWorkspace()
  return (
    <main className="main" aria-label={t`Settings`}>
      <header className="head" data-region="header">
        <h1>{t`Settings`}</h1>
      </header>
      <div className="preferences">
        <nav className="preference-nav" aria-label={t`Pages of the settings`} data-region="pages">
          {pages
            .filter(([id]) => id !== 'program' || workspace.isDesktop)
            .map(([id, title]) => (
              <a
                key={id}
                className={classes('nav', id === page && 'on')}
                aria-current={id === page ? 'page' : undefined}
                href={writeHash({ kind: 'preferences', page: id })}
                onClick={(event) => {
                  event.preventDefault()
                  workspace.go({ kind: 'preferences', page: id })
                }}
              >
                {title}
              </a>
            ))}
        </nav>
        <div className="preference-page" data-region="page" tabIndex={-1}>
          <h2>{pages.find(([id]) => id === page)?.[1]}</h2>
          <Page page={page} />
        </div>
      </div>
    </main>
  )
}
