import { dropAnswerSchema, dropLimits, dropPath, refusalSchema } from '../../shared/contract/drops.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { largestFile, type NamedFile } from './dropped-files.ts'
import { said } from '../../shared/language/said.ts'
import { t } from '../../shared/language/text.ts'

/**
 * Hands files of a page in a browser over to the engine (shared/contract/drops.ts), as many at a time as one request
 * holds. @returns the ids of the drops @throws Fault
 */
export async function sendFiles(
  files: readonly NamedFile[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (files.length === 0) throw new Fault('refused', t`Nothing that could be read was dropped.`)
  if (files.length > dropLimits.files || files.some(({ file }) => file.size > largestFile)) {
    throw new Fault('refused', t`That is too much for a page in a browser. Drop fewer files, or one list.`)
  }
  const drops: string[] = []
  for (let at = 0; at < files.length;) {
    const end = endOfRequest(files, at)
    drops.push(await sendSome(files.slice(at, end), signal))
    at = end
  }
  return drops
}

/** Where the next request begins: this one holds no more bytes than it may. */
function endOfRequest(files: readonly NamedFile[], start: number): number {
  let size = files[start]!.file.size
  let end = start + 1
  while (end < files.length && size + files[end]!.file.size <= largestFile) {
    size += files[end]!.file.size
    end += 1
  }
  return end
}

async function sendSome(files: readonly NamedFile[], signal: AbortSignal): Promise<string> {
  const form = new FormData()
  form.set('names', JSON.stringify(files.map(({ name }) => name)))
  for (const { name, file } of files) form.append('file', file, name.split('/').at(-1) ?? name)
  const answer = await fetch(dropPath, { method: 'POST', body: form, signal }).catch(() => undefined)
  const body: unknown = await answer?.json().catch(() => undefined)
  const taken = dropAnswerSchema.safeParse(body).data
  if (answer?.ok && taken) return taken.drop
  const refusal = refusalSchema.safeParse(body).data
  throw new Fault(
    'refused',
    refusal ? said(refusal.message) : t`The files could not be handed over. Drop them again.`,
  )
}
