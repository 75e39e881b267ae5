import type { Page } from 'playwright-core'

/** A second of a WebM, made by the browser itself. */
export async function recordedClip(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate<number[]>(`(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 160
    canvas.height = 120
    const pen = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const parts = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    recorder.start()
    for (let frame = 0; frame < 20; frame += 1) {
      pen.fillStyle = 'hsl(' + frame * 18 + ' 80% 50%)'
      pen.fillRect(0, 0, 160, 120)
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
