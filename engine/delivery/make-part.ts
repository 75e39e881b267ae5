import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { WriteRequest, WrittenPart } from './delivery.ts'
import { diskFault } from './disk-fault.ts'
import type { Received } from './fetch-part.ts'
import type { Files, OpenFile } from './files.ts'
import { folderIn, partNameOf } from './output-folder.ts'
import { verifyFile } from './verify.ts'

export interface MakeParts {
  readonly files: Files
  readonly mark: string
  readonly randomName: () => string
  /** Temporary files that this process still works with. */
  readonly active: Set<string>
}

/** Makes a temporary file: filled, judged, and durable before any record of it is. On an error it is removed. */
export async function makePart<T extends Received>(
  { files, mark, randomName, active }: MakeParts,
  { outDir, folder: below }: Pick<WriteRequest, 'outDir' | 'folder'>,
  fill: (file: OpenFile, part: string) => Promise<T>,
): Promise<T & { readonly part: string }> {
  const folder = await folderIn(files, outDir, below)
  const part = join(folder, partNameOf(randomName(), mark))
  active.add(part)
  try {
    const file = await files.create(part)
    try {
      const filled = await fill(file, part)
      await file.sync()
      return { part, ...filled }
    } finally {
      await file.close()
    }
  } catch (error) {
    active.delete(part)
    await files.remove(part).catch(() => {})
    throw diskFault(error, folder)
  }
}

/** See Delivery.writePart. */
export async function writePart(parts: MakeParts, request: WriteRequest): Promise<WrittenPart> {
  return await makePart(parts, request, async (file, part) => {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of request.content) {
      hash.update(chunk)
      bytes += chunk.length
      await file.write([chunk])
    }
    if (request.picture) await verifyFile(parts.files, part, bytes)
    return { bytes, sha256: hash.digest('hex') }
  })
}
