import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Logo } from '../ui/Logo.tsx'
import type { LineState } from './line.ts'
import { t } from '../../shared/language/text.ts'

/** Attempts after which it is more than a moment. */
const manyFailures = 4

/** Over the bottom of the window while the line is being opened again: what is shown may be old. */
export function LineNotice({ failures }: { readonly failures: number }) {
  return (
    <div className="line-notice" role="status">
      <Unplug size={15} aria-hidden="true" />
      {failures < manyFailures
        ? t`Reconnecting. What is shown may be a moment old; the queue goes on.`
        : t`Vitrine does not answer. If it was closed, start it again and open the address it prints.`}
    </div>
  )
}

/** In place of everything while the engine has not been heard yet. Nothing at all for the first moment. */
export function LineLost({ state, failures }: Pick<LineState, 'state' | 'failures'>) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 500)
    return () => clearTimeout(timer)
  }, [])
  if (state === 'outdated') {
    return (
      <main className="lost">
        <EmptyState
          art={<Logo size={36} />}
          title={t`Vitrine was updated`}
          actions={
            <Button variant="primary" size="l" onPress={() => location.reload()}>
              {t`Reload`}
            </Button>
          }
        >
          {t`This page is older than the program behind it. Nothing is lost.`}
        </EmptyState>
      </main>
    )
  }
  if (!isLong) return <main className="lost" />
  return (
    <main className="lost">
      {failures < manyFailures ? (
        <EmptyState art={<Logo size={36} />} title={t`Starting`} />
      ) : (
        <EmptyState art={<Logo size={36} />} title={t`Vitrine does not answer`}>
          {t`If it was closed, start it again and open the address it prints. Trying again by itself.`}
        </EmptyState>
      )}
    </main>
  )
}
