import { DeliveryError } from '../engine/delivery/delivery-error.ts'
import type { Delivery } from '../engine/delivery/delivery.ts'
import { pathRoom, renderName, type NameTemplate } from '../engine/delivery/names.ts'
import type { OfferedOutput } from '../engine/queue/parts.ts'
import type { OnConflict } from '../engine/store/rows.ts'
import { plainText } from '../shared/plain-text.ts'
import type { Run } from '../shared/wire.ts'
import type { Account } from './account.ts'
import { exitStatus } from './exit-status.ts'
import { Problem } from './problem.ts'
import type { Shell } from './shell.ts'
import { counted } from './table.ts'

export interface OutputsWanted {
  readonly run: Run
  readonly outputs: readonly OfferedOutput[]
  readonly outDir: string
  readonly name: string
  readonly template: NameTemplate
  readonly onConflict: OnConflict
}

const namingTries = 20

/** Fetches, checks, names and places the outputs of one run outside any batch. */
export async function fetchOutputs(shell: Shell, account: Account, wanted: OutputsWanted) {
  const { composeDelivery } = await import('./compose.ts')
  await using delivery = composeDelivery(shell, account.base.href)
  const taken = new Set<string>()
  for (const output of wanted.outputs) {
    try {
      const placed = await fetchOne(shell, delivery, wanted, output, taken)
      const { label, slug } = output
      if (shell.json) shell.terminal.json({ runId: wanted.run.runId, label, slug, ...placed })
      else {
        const how = placed.written ? '' : ', was there already'
        shell.terminal.print(
          `${plainText(label, 60)}: ${placed.file} (${counted(placed.bytes, 'byte')}${how})`,
        )
      }
    } catch (error) {
      throw error instanceof DeliveryError ? problemOf(error) : error
    }
  }
}

async function fetchOne(
  shell: Shell,
  delivery: Delivery,
  wanted: OutputsWanted,
  output: OfferedOutput,
  taken: Set<string>,
) {
  const { outDir, run, template, onConflict } = wanted
  const { signal } = shell.stop
  const got = await delivery.fetchToPart({
    url: output.url,
    outDir,
    folder: '',
    isVideo: output.isVideo,
    signal,
  })
  const { part, bytes, sha256 } = got
  const relative = renderName(
    template,
    {
      folder: '',
      name: wanted.name,
      suffix: output.slug === 'primary' ? '' : `-${output.slug}`,
      ext: got.extension,
      n: 1,
      of: 1,
      batch: '',
      preset: '',
      app: run.appId,
      run: run.runId,
      date: run.created.slice(0, 10),
    },
    pathRoom(outDir),
  )
  for (let tries = 0; tries < namingTries; tries += 1) {
    const claimed = (path: string) => taken.has(path)
    const name = await delivery.settleName({ outDir, relative, onConflict, bytes, sha256, claimed })
    if (name.kind !== 'free') {
      await delivery.discardPart(part)
      return { path: name.relative, file: name.path, bytes, sha256, written: false }
    }
    const placement = { outDir, part, relative: name.relative, bytes, sha256, replace: name.replace }
    if ((await delivery.placePart(placement)) === 'placed') {
      taken.add(name.relative)
      return { path: name.relative, file: name.path, bytes, sha256, written: true }
    }
  }
  throw new Problem(exitStatus.unwritable, `No free name was found for ${relative} in ${outDir}.`)
}

function problemOf(error: DeliveryError): Problem {
  const ofTheFolder = error.stopsBatch || error.kind === 'outside' || error.kind === 'in-the-way'
  return new Problem(
    ofTheFolder ? exitStatus.unwritable : exitStatus.attention,
    plainText(error.message, 600),
  )
}
