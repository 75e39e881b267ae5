import { open, type FileHandle } from 'node:fs/promises'
import type { OwnFileTable, Upload } from '../store/own-files.ts'
import type { ObjectStorage } from './object-storage.ts'
import { StorageTrouble } from './object-storage.ts'
import { say } from '../../shared/language/say.ts'

/** Files up to this go in one piece; larger ones in parts, so that a break costs one part. Bytes. */
const wholeBytes = 16 * 1024 * 1024
const partBytes = 8 * 1024 * 1024
/** Most parts of one upload, by the protocol; half of it leaves room. */
const mostParts = 5000

export interface UploadParts {
  readonly storage: ObjectStorage
  readonly table: OwnFileTable
  /** Bytes of a part, and from which size on a file goes in parts; for tests. */
  readonly sizes?: { readonly whole: number; readonly part: number }
  readonly onProgress?: (done: number, total: number) => void
  readonly signal: AbortSignal
}

/** What is uploaded: a file of this computer under a name of the storage. */
export interface Parcel extends Pick<Upload, 'target' | 'key' | 'content'> {
  /** The file whose bytes go; a converted picture has one of its own. */
  readonly file: string
  readonly type: string
  readonly keep: boolean
}

/**
 * Brings a file to the storage. What the storage has confirmed is in the store, part by part, so that a program that
 * was killed goes on where it was; an upload that the storage has forgotten begins anew, once.
 * @throws StorageTrouble, or Node's error where the file cannot be read
 */
export async function uploadPicture(parcel: Parcel, parts: UploadParts): Promise<void> {
  const file = await open(parcel.file)
  try {
    const { size } = await file.stat()
    const { whole, part } = parts.sizes ?? { whole: wholeBytes, part: partBytes }
    if (size <= whole) await inOnePiece(parcel, file, size, parts)
    else await inParts(parcel, file, { size, part: Math.max(part, Math.ceil(size / mostParts)) }, parts)
    const stored = await parts.storage.size(parcel.key, parts.signal)
    if (stored !== size) {
      throw new StorageTrouble('passing', say`The storage did not keep the picture whole; it is sent again.`)
    }
    parts.table.setUpload({ ...recordOf(parcel, size), state: 'there' }, parcel.keep)
  } finally {
    await file.close()
  }
}

function recordOf({ target, key, content }: Parcel, bytes: number): Upload {
  return { target, key, content, bytes, state: 'sending', uploadId: null, partBytes: 0, parts: [] }
}

async function inOnePiece(parcel: Parcel, file: FileHandle, size: number, parts: UploadParts) {
  const { storage, table, onProgress, signal } = parts
  // Recorded first: whatever happens now, the object is known to be ours, and removed in the end.
  table.setUpload(recordOf(parcel, size), parcel.keep)
  await storage.put(parcel.key, await slice(file, 0, size), parcel.type, signal)
  onProgress?.(size, size)
}

async function inParts(
  parcel: Parcel,
  file: FileHandle,
  { size, part }: { readonly size: number; readonly part: number },
  parts: UploadParts,
) {
  const { table, storage } = parts
  const before = table.upload(parcel.target, parcel.key)
  const isSame = before?.state === 'sending' && before.bytes === size && before.partBytes === part
  if (before?.uploadId && !isSame) await storage.abandon({ key: parcel.key, uploadId: before.uploadId })
  const begun = isSame && before.uploadId !== null ? before : undefined
  try {
    await sendParts(parcel, file, begun ?? (await beginUpload(parcel, size, part, parts)), parts)
  } catch (error) {
    if (!(error instanceof StorageTrouble) || error.kind !== 'no-upload' || !begun) throw error
    await sendParts(parcel, file, await beginUpload(parcel, size, part, parts), parts)
  }
}

async function beginUpload(parcel: Parcel, size: number, part: number, parts: UploadParts): Promise<Upload> {
  const uploadId = await parts.storage.begin(parcel.key, parcel.type, parts.signal)
  const upload: Upload = { ...recordOf(parcel, size), uploadId, partBytes: part }
  parts.table.setUpload(upload, parcel.keep)
  return upload
}

async function sendParts(parcel: Parcel, file: FileHandle, begun: Upload, parts: UploadParts) {
  const { storage, table, onProgress, signal } = parts
  const of = { key: parcel.key, uploadId: begun.uploadId! }
  const { bytes, partBytes } = begun
  let upload = begun
  for (let at = upload.parts.length * partBytes; at < bytes; at += partBytes) {
    onProgress?.(at, bytes)
    const body = await slice(file, at, Math.min(partBytes, bytes - at))
    const sent = await storage.putPart({ ...of, number: upload.parts.length + 1 }, body, signal)
    upload = { ...upload, parts: [...upload.parts, sent] }
    table.setUpload(upload, parcel.keep)
  }
  await storage.finish(of, upload.parts, signal)
  onProgress?.(bytes, bytes)
}

async function slice(file: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(length)
  for (let at = 0; at < length;) {
    const { bytesRead } = await file.read(buffer, at, length - at, from + at)
    if (bytesRead === 0) throw new Error(say`The file has become shorter while it was read.`)
    at += bytesRead
  }
  return buffer
}
