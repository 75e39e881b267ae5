import { systemClock } from '../engine/clock.ts'
import { createDelivery } from '../engine/delivery/create-delivery.ts'
import { createDownloads } from '../engine/service/undici-downloads.ts'

// Fetches, checks, flushes and places files as the program does: `node download-client.ts ORIGIN FOLDER FILES AT_A_TIME`.
const [origin = '', outDir = '', files = '', atATime = ''] = process.argv.slice(2)
const downloads = createDownloads({ baseUrl: `${origin}/api/v1` })
const delivery = createDelivery({ downloads, clock: systemClock })
const { signal } = new AbortController()
let next = 0

async function work() {
  while (next < Number(files)) {
    next += 1
    // Names come round again: what is measured is the fetching, not the size of the disk.
    const relative = `${next % 200}.jpg`
    const part = await delivery.fetchToPart({
      url: `${origin}/${next}.jpg`,
      outDir,
      folder: '',
      isVideo: false,
      signal,
    })
    await delivery.placePart({ ...part, outDir, relative, replace: true })
  }
}

await Promise.all(Array.from({ length: Number(atATime) }, work))
await downloads.close()
const { user, system } = process.cpuUsage()
process.stdout.write(`${process.resourceUsage().maxRSS / 1000} ${(user + system) / 1e6}\n`)
