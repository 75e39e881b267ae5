import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram, serveProgram } from './guide-program.ts'
import { makeRow, rows } from './guide-rows.ts'
import { photographWindows } from './guide-windows.ts'
import { root } from './tool.ts'

/**
 * `npm run guide-pictures`: makes every picture of docs/guide anew, from the program as it is and the practice service
 * with its real image work. Needs the built page (`npm run build`) and a Chromium.
 */
const folder = join(root, 'docs', 'guide', 'pictures')
const home = await mkdtemp(join(tmpdir(), 'vitrine-guide-'))
try {
  await mkdir(folder, { recursive: true })
  const practice = await serveProgram(
    ['practice', '--shoot', join(home, 'shoot'), '--seconds', '0', '--credits', '5000', '--json'],
    home,
  )
  try {
    const { baseUrl = '', key = '', origin = '' } = practice.said
    const source = join(home, 'ring.txt')
    await writeFile(source, `${origin}/shoot/Rings/Solitaire/R1183-front.jpg\n`)
    const env = { VITRINE_BASE_URL: baseUrl, VITRINE_API_KEY: key }
    for (const row of rows) {
      await makeRow({ home, source, env }, row, join(folder, `${row.name}.jpg`))
      process.stdout.write(`${row.name}.jpg\n`)
    }
    const sheet = [
      'run',
      join(home, 'shoot', 'Earrings'),
      '--preset',
      'Catalogue white',
      '--out',
      join(home, 'sheet'),
    ]
    await runProgram([...sheet, '--yes'], home, env)
    await runProgram(['report', '--html', join(home, 'sheet.html')], home, env)
  } finally {
    await practice.end()
  }
  const person = join(home, 'person')
  await mkdir(person)
  await photographWindows({ home: person, folder, contactSheet: join(home, 'sheet.html') })
} finally {
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
}
