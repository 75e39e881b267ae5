import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// A file host of a given speed, in a process of its own: `node download-server.ts FILE MBIT_PER_SECOND` (0: unlimited).
const [file, speed] = process.argv.slice(2)
const body = await readFile(file!)
const bytesPerMs = (Number(speed) * 1e6) / 8 / 1000
const slice = 128 * 1024
const tickMs = 4
/** Answers under way, and how far each is; all share the speed. */
const answers = new Map<ServerResponse, number>()
let budget = 0
let filledAt = performance.now()

/** Sends what the speed allows, in turns. */
function pump() {
  const now = performance.now()
  budget = Math.min(budget + (now - filledAt) * bytesPerMs, bytesPerMs * 100)
  filledAt = now
  let sent = true
  while (budget > 0 && sent) {
    sent = false
    for (const [answer, at] of answers) {
      if (budget <= 0 || answer.writableNeedDrain) continue
      const end = Math.min(body.length, at + slice)
      answer.write(body.subarray(at, end))
      budget -= end - at
      sent = true
      if (end < body.length) answers.set(answer, end)
      else {
        answers.delete(answer)
        answer.end()
      }
    }
  }
}

const server = createServer((_, answer) => {
  answer.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': body.length })
  if (bytesPerMs === 0) {
    answer.end(body)
    return
  }
  answers.set(answer, 0)
  answer.on('close', () => answers.delete(answer))
})
if (bytesPerMs > 0) setInterval(pump, tickMs)
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
