import type { Page } from 'playwright-core'

/** A second of a WebM, made by the browser itself: colours in turn, or nearer and nearer to a picture. */
export async function recordedClip(page: Page, picture?: Buffer): Promise<Buffer> {
  const size = picture ? [960, 640] : [160, 120]
  const bytes = await page.evaluate<number[]>(`(async () => {
    const [width, height] = ${JSON.stringify(size)}
    const bytes = ${JSON.stringify(picture?.toString('base64') ?? null)}
    const picture = bytes && (await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))])))
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const pen = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const parts = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    recorder.start()
    for (let frame = 0; frame < 20; frame += 1) {
      pen.fillStyle = 'hsl(' + frame * 18 + ' 80% 50%)'
      pen.fillRect(0, 0, width, height)
      const near = 1 + frame / 100
      if (picture) pen.drawImage(picture, ((1 - near) * width) / 2, ((1 - near) * height) / 2, near * width, near * height)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await new Promise((resolve) => {
      recorder.addEventListener('stop', resolve)
      recorder.stop()
    })
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })()`)
  return Buffer.from(bytes)
}
