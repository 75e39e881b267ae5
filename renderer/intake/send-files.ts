import { dropAnswerSchema, dropLimits, dropPath, refusalSchema } from '../../shared/contract/drops.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { NamedFile } from './dropped-files.ts'

/** Hands files of a page in a browser over to the engine (shared/contract/drops.ts). @returns the drop's id @throws Fault */
export async function sendFiles(files: readonly NamedFile[], signal: AbortSignal): Promise<string> {
  const size = files.reduce((sum, { file }) => sum + file.size, 0)
  if (files.length === 0) throw new Fault('refused', 'Nothing that could be read was dropped.')
  if (files.length > dropLimits.files || size > dropLimits.bytes) {
    throw new Fault('refused', 'That is too much for a page in a browser. Drop fewer files, or one list.')
  }
  const form = new FormData()
  form.set('names', JSON.stringify(files.map(({ name }) => name)))
  for (const { name, file } of files) form.append('file', file, name.split('/').at(-1) ?? name)
  const answer = await fetch(dropPath, { method: 'POST', body: form, signal }).catch(() => undefined)
  const body: unknown = await answer?.json().catch(() => undefined)
  const taken = dropAnswerSchema.safeParse(body).data
  if (answer?.ok && taken) return taken.drop
  throw new Fault(
    'refused',
    refusalSchema.safeParse(body).data?.message ?? 'The files could not be handed over. Drop them again.',
  )
}
