import { CircleAlert, CircleCheck, CloudUpload, Globe } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { OwnFilesRecord } from '../../shared/contract/own-file-records.ts'
import type { Storage } from '../../shared/own-files.ts'
import { figure, shortPath } from '../app/format.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Button } from '../ui/Button.tsx'
import { rich } from '../ui/rich.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { PublishedSheet } from './PublishedSheet.tsx'
import { StorageSheet } from './StorageSheet.tsx'
import { t } from '../../shared/language/text.ts'

type Kind = 'published' | 'storage'

interface CardProps {
  readonly kind: Kind
  readonly title: string
  readonly icon: ReactNode
  /** What it is for, where it is not set up. */
  readonly about: string
  readonly isSetUp: boolean
  readonly onSetUp: () => void
  readonly children?: ReactNode
}

type Found = { readonly ok: boolean; readonly sentence: string } | 'checking' | undefined

/** One way, with what is set up of it. */
function WayCard({ kind, title, icon, about, isSetUp, onSetUp, children }: CardProps) {
  const workspace = useWorkspace()
  const [found, setFound] = useState<Found>()
  const check = async () => {
    setFound('checking')
    setFound(await workspace.attempt(() => workspace.api.ownFiles.check({ kind })))
  }
  return (
    <li className="connection-card" aria-label={title}>
      <div className="row g8">
        {icon}
        <span className="m">{title}</span>
        <span className="sp" />
        {isSetUp && (
          <>
            <Button size="s" isDisabled={found === 'checking'} onPress={() => void check()}>
              {found === 'checking' ? t`Checking` : t`Check`}
            </Button>
            <Button
              size="s"
              onPress={() => {
                setFound(undefined)
                void workspace.attempt(() => workspace.api.ownFiles.remove({ kind }))
              }}
            >
              {t`Give up`}
            </Button>
          </>
        )}
        <Button size="s" onPress={onSetUp}>
          {isSetUp ? t`Change` : t`Set up`}
        </Button>
      </div>
      {isSetUp ? children : <p className="t12 f3">{about}</p>}
      <div aria-live="polite">{found !== undefined && found !== 'checking' && <Answer {...found} />}</div>
    </li>
  )
}

function Answer({ ok, sentence }: { readonly ok: boolean; readonly sentence: string }) {
  const Glyph = ok ? CircleCheck : CircleAlert
  return (
    <p className="own-answer t12">
      <Glyph size={15} className={ok ? 'acc' : 'amb'} aria-hidden="true" />
      <span>{sentence}</span>
    </p>
  )
}

function storageWords({ keep, conversion }: Storage): string {
  const uploads = keep ? t`Uploads stay in the storage.` : t`Uploads are removed when their runs are done.`
  if (!conversion) return uploads
  const format = conversion.format.toUpperCase()
  const converted =
    conversion.longestSide === null
      ? t`Converted to ${format} in sRGB.`
      : t`Converted to ${format} in sRGB, at most ${figure(conversion.longestSide)} pixels.`
  return `${converted} ${uploads}`
}

function Ways({ published, storage, keysKnown }: OwnFilesRecord) {
  const [open, setOpen] = useState<Kind>()
  return (
    <>
      <ul className="connections">
        <WayCard
          kind="published"
          title={t`Web address`}
          icon={<Globe size={16} className="f2" aria-hidden="true" />}
          about={t`For a folder that is on the web already: each picture is sent by its address there. Nothing is uploaded.`}
          isSetUp={published !== null}
          onSetUp={() => setOpen('published')}
        >
          <p className="t12 f2">
            {rich`${<bdi title={published?.folder}>{shortPath(published?.folder ?? '')}</bdi>} is ${<bdi className="mono select-text">{published?.address}</bdi>}`}
          </p>
        </WayCard>
        <WayCard
          kind="storage"
          title={t`Storage`}
          icon={<CloudUpload size={16} className="f2" aria-hidden="true" />}
          about={t`A bucket of an S3-compatible storage: pictures are uploaded when their turn comes, and the service gets a link that expires.`}
          isSetUp={storage !== null}
          onSetUp={() => setOpen('storage')}
        >
          <p className="t12 f2">
            {rich`${<bdi className="mono select-text">{`${storage?.bucket}/${storage?.prefix}`}</bdi>} at ${<bdi className="mono select-text">{storage?.endpoint}</bdi>}`}
          </p>
          <p className="t12 f3">{storage && storageWords(storage)}</p>
          <p className={keysKnown ? 't12 f3' : 't12 amb'}>
            {keysKnown
              ? t`Its keys are known, and not shown again.`
              : t`Its keys are not known any more; give them again.`}
          </p>
        </WayCard>
      </ul>
      {open === 'published' && <PublishedSheet published={published} onClose={() => setOpen(undefined)} />}
      {open === 'storage' && <StorageSheet storage={storage} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** How pictures of this computer reach the service. */
export function OwnFilesPage() {
  const ownFiles = useStore(useWorkspace().mirrors.ownFiles, ({ value }) => value)
  return (
    <>
      <p className="f2">
        {t`The service reads pictures from the web only. With one of these set up, folders of your own pictures are dropped like any list, and hot folders take pictures too.`}
      </p>
      {ownFiles ? <Ways {...ownFiles} /> : <Skeleton height={120} />}
    </>
  )
}
