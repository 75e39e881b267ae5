import { useEffect, useLayoutEffect, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useStore } from 'zustand'
import { filePath, thumbnailPath } from '../../shared/contract/pictures.ts'
import type { ImageRecord } from '../../shared/contract/records.ts'
import { useImages, useWorkspace } from '../app/workspace-context.ts'
import { formatName } from './image-look.ts'
import { Picture } from './Picture.tsx'
import { useImage } from './use-leading.ts'
import { t } from '../../shared/language/text.ts'

/** The small picture at once, the whole file as soon as it is decoded; what a browser cannot show stays small. */
function useSharpening(image: ImageRecord | undefined): string | undefined {
  const [sharp, setSharp] = useState<string>()
  const output = image?.outputs[0]
  const small = image && thumbnailPath(image.id, output?.slug ?? 'source', 512, image.version)
  const file = image && output ? filePath(image.id, output.slug, image.version) : undefined
  useEffect(() => {
    if (file === undefined) return
    let isWanted = true
    const picture = new Image()
    picture.src = file
    picture.decode().then(
      () => isWanted && setSharp(file),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [file])
  return sharp !== undefined && sharp === file ? sharp : small
}

/** One picture over everything for as long as Space is held; a second press or Escape closes it. */
export function LargePicture({ image: id }: { readonly image: number }) {
  const workspace = useWorkspace()
  const images = useImages()
  const image = useImage(images, id)
  const src = useSharpening(image)
  const surround = useStore(workspace.mirrors.preferences, ({ value }) => value?.surround ?? 'dark')
  // Before it is painted: who sees it may let go at once, however busy the machine is.
  useLayoutEffect(() => {
    const opened = performance.now()
    const up = (event: KeyboardEvent) => {
      // A short press leaves it open; letting go after holding closes it.
      if (event.key === ' ' && event.timeStamp - opened > 300) workspace.closeOverlay()
    }
    const down = (event: KeyboardEvent) => {
      // The press that opened it may still be on its way to here.
      if (event.key === ' ' && !event.repeat && event.timeStamp > opened) {
        event.preventDefault()
        workspace.closeOverlay()
      }
    }
    document.addEventListener('keyup', up)
    document.addEventListener('keydown', down)
    return () => {
      document.removeEventListener('keyup', up)
      document.removeEventListener('keydown', down)
    }
  }, [workspace])
  if (!image) return null
  return (
    <ModalOverlay
      className="scrim"
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) workspace.closeOverlay()
      }}
    >
      <Modal className="large" data-surround={surround}>
        <Dialog className="large-dialog" aria-label={t`Large preview of ${image.title}`}>
          <Picture src={src} fallback={formatName(image.title)} alt={image.title} />
          <bdi className="large-name">{image.title}</bdi>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
