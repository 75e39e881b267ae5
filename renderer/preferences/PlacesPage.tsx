import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { bytes } from '../app/format.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { copyText } from '../batches/image-commands.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

interface Place {
  readonly title: string
  readonly path: string
  readonly bytes: number | null
}

function usePlaces() {
  const { api } = useWorkspace()
  const [places, setPlaces] = useState<readonly Place[]>()
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const ends = new AbortController()
    api.preferences.places({}, { signal: ends.signal }).then(
      (answer) => setPlaces(answer.places.map((place) => ({ ...place, title: said(place.title) }))),
      () => setPlaces([]),
    )
    return () => ends.abort()
  }, [api, asked])
  return { places, reload: () => setAsked((count) => count + 1) }
}

/** Everything that the program keeps on this computer: where, and how much. */
export function PlacesPage() {
  const workspace = useWorkspace()
  const { places, reload } = usePlaces()
  const clear = async () => {
    const done = await workspace.attempt(async () => {
      await workspace.api.preferences.clearThumbnails({})
      return true
    })
    if (done) workspace.say(t`Thumbnails deleted. They are fetched again when they come into view`)
    reload()
  }
  return (
    <>
      <p className="f2">
        {t`Nothing leaves this computer but what is sent to the service you connected. Keys are not in these files.`}
      </p>
      {places ? (
        <ul className="places">
          {places.map((place) => (
            <li key={place.path}>
              <span className="grow">
                <span className="m">{place.title}</span>
                <bdi className="mono t12 f2 ell select-text" title={place.path}>
                  {place.path}
                </bdi>
              </span>
              <span className="t12 f2 nw">{place.bytes === null ? '' : bytes(place.bytes)}</span>
              <IconButton
                size="s"
                icon={<Copy size={13} />}
                label={t`Copy the path of ${place.title}`}
                onPress={() => void copyText(workspace, place.path, t`Path`)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height={140} />
      )}
      <div>
        <Button onPress={() => void clear()}>{t`Delete thumbnails`}</Button>
      </div>
    </>
  )
}
