import { mkdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { startPracticeService, writeShootLists } from '../practice-service/start.ts'
import { processIo } from './io.ts'
import { main } from './program.ts'
import { counted } from './table.ts'

/**
 * `npm run demo`: the sample shoot through the very command that a person types, against the practice service in this
 * process, over real HTTP. Needs no account; writes below demo-output/ only, and begins afresh each time.
 */
const folder = join(process.cwd(), 'demo-output')
const [shoot, home, out] = ['shoot', 'data', 'retouched'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const credits = 500
const preset = 'Catalogue white'

const say = (text: string) => process.stderr.write(`${text}\n`)
const shown = (path: string) => relative(process.cwd(), path)

async function demo(): Promise<number> {
  for (const own of [shoot, home, out]) await rm(own, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const service = await startPracticeService({
    accounts: [{ key: 'practice', subscriptionCredits: credits, subscription: 'Practice' }],
  })
  try {
    const lists = await writeShootLists(shoot, service.origin)
    say(`The practice service listens on ${service.url}, with ${credits} play credits.`)
    say(`The shoot is ${counted(lists.length, 'list')} and shortcuts in ${shown(shoot)}.`)
    const command = ['run', shoot, '--preset', preset, '--out', out, '--yes']
    say(`vitrine run ${shown(shoot)} --preset "${preset}" --out ${shown(out)} --yes\n`)
    const env = {
      ...process.env,
      VITRINE_HOME: home,
      VITRINE_BASE_URL: service.url,
      VITRINE_API_KEY: service.keys[0],
    }
    const status = await main(command, { ...processIo(), env })
    if (status === 0) tellWhereToLook()
    return status
  } finally {
    await service.close()
  }
}

function tellWhereToLook() {
  say('')
  say(`Look into ${shown(out)}: each picture is there twice, de-banded (R1195-set.jpg) and as the model made`)
  say(
    'it (R1195-set-original.jpg), in the folders of the shoot. manifest.jsonl tells what was sent and charged.',
  )
  say('To try it yourself: "npm run practice" in one terminal, and what it prints in another.')
}

process.exit(await demo())
