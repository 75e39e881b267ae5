import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test, type TestContext } from 'vitest'
import { startPracticeService } from '../../practice-service/start.ts'
import { expectPlainWords } from './books.ts'
import { ProofDesk } from './desk.ts'

const { PROOF = '' } = process.env
/** `npm run proof` sends a line of a gigabyte, and with `-- --long` a million addresses. */
const lineMb = PROOF === '' ? 96 : 1024
const addresses = { whole: 100_000, long: 1_000_000 }[PROOF] ?? 20_000
const patience = 1_200_000

async function setScene({ onTestFinished }: TestContext) {
  const service = await startPracticeService({ imageWork: 'echo', processing: 0.05 })
  const desk = new ProofDesk(service.url)
  onTestFinished(async () => {
    desk.clear()
    await service.close()
  })
  return { service, desk }
}

/** Writes as fast as the program reads, and stops where it reads no more. */
function send(stdin: Writable, pieces: Iterable<string>): Promise<void> {
  return pipeline(Readable.from(pieces), stdin).catch(() => undefined)
}

function* oneLongLine() {
  const megabyte = 'https://pictures.example/'.padEnd(1024 * 1024, 'x')
  for (let n = 0; n < lineMb; n += 1) yield megabyte
  yield '\nhttps://pictures.example/after.jpg\n'
}

function* manyAddresses() {
  const page = 1000
  for (let from = 0; from < addresses; from += page) {
    yield Array.from({ length: page }, (_, n) => `https://pictures.example/${from + n}.jpg\n`).join('')
  }
}

test(
  'a line without an end is read over in bounded memory, and what follows is taken',
  {
    timeout: patience,
  },
  async (context) => {
    const { service, desk } = await setScene(context)
    const running = desk.start([...desk.batch(['-'])], {}, 'pipe')
    await send(running.child.stdin!, oneLongLine())
    const { code, err, out, peakMb } = await running.ended
    expect(code, err).toBe(0)
    expectPlainWords(err + out)
    expect(out).toContain('"event":"problem"')
    expect(service.books().runs.map(({ source }) => source)).toEqual(['https://pictures.example/after.jpg'])
    expect(peakMb).toBeLessThan(350)
    process.stdout.write(`proof: a line of ${lineMb} MB, most memory ${Math.round(peakMb)} MB\n`)
  },
)

test(
  'a list of very many addresses becomes a batch that can be followed and gone on with',
  {
    timeout: patience,
  },
  async (context) => {
    const { service, desk } = await setScene(context)
    const started = performance.now()
    const running = desk.start([...desk.batch(['-'], ['--budget', '0'])], {}, 'pipe')
    await send(running.child.stdin!, manyAddresses())
    const { code, err, peakMb } = await running.ended
    expect(code, err).toBe(3)
    expectPlainWords(err)
    const seconds = Math.round((performance.now() - started) / 1000)
    const status = await desk.run(['status'])
    expect(status.code, status.err).toBe(0)
    expect(status.out).toContain(` ${addresses} `)
    expect(service.books().runs).toEqual([])
    expect(peakMb).toBeLessThan(200 + addresses / 500)
    process.stdout.write(
      `proof: ${addresses} addresses, ${seconds} s, most memory ${Math.round(peakMb)} MB\n`,
    )
  },
)
