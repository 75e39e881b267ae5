import type * as S3 from '@aws-sdk/client-s3'
import type * as Presigner from '@aws-sdk/s3-request-presigner'
import type { Storage } from '../../shared/own-files.ts'
import { displayText } from '../intake/display-text.ts'
import { trustSystemCertificates } from '../service/connect.ts'
import type { UploadedPart } from '../store/own-files.ts'
import type { StorageKeys } from './storage-keys.ts'
import { say } from '../../shared/language/say.ts'

/**
 * Why a storage did not do what it was asked.
 * - `set-up`: it will not, until a person changes something: keys, bucket, rights.
 * - `passing`: it is out of reach or busy; worth trying again.
 * - `no-upload`: it does not know this upload in parts (any more).
 */
export class StorageTrouble extends Error {
  override readonly name = 'StorageTrouble'
  readonly kind: 'set-up' | 'passing' | 'no-upload'
  constructor(kind: StorageTrouble['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/** One bucket of an S3-compatible storage. Every method throws StorageTrouble, with a sentence that holds no key. */
export interface ObjectStorage {
  /** Bytes of an object; undefined where there is none. */
  size(key: string, signal?: AbortSignal): Promise<number | undefined>
  put(key: string, body: Uint8Array, type: string, signal?: AbortSignal): Promise<void>
  /** Begins an upload in parts. */
  begin(key: string, type: string, signal?: AbortSignal): Promise<string>
  putPart(of: PartOf, body: Uint8Array, signal?: AbortSignal): Promise<UploadedPart>
  finish(of: UploadInParts, parts: readonly UploadedPart[], signal?: AbortSignal): Promise<void>
  /** Gives an upload in parts up; no error where there is none. */
  abandon(of: UploadInParts): Promise<void>
  /** No error where it is gone already. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  /** An address under which anybody may read the object for so many seconds from now. Asks nobody. */
  link(key: string, seconds: number): Promise<string>
  close(): void
}

interface UploadInParts {
  readonly key: string
  readonly uploadId: string
}

interface PartOf extends UploadInParts {
  readonly number: number
}

/** Bounds in ms: for a connection, and for a connection on which nothing moves in either direction. */
const connectMs = 15_000
const idleMs = 60_000

/** Opens a storage by the official SDK, which is read only now: it is large, and few need it at a start. */
export async function openStorage(storage: Storage, keys: StorageKeys): Promise<ObjectStorage> {
  const [s3, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  if (storage.endpoint.startsWith('https:')) trustSystemCertificates()
  const client = new s3.S3Client({
    endpoint: storage.endpoint,
    region: storage.region,
    forcePathStyle: storage.pathStyle,
    credentials: { accessKeyId: keys.accessKey, secretAccessKey: keys.secretKey },
    // Storages other than AWS's own refuse the checksums that newer SDKs add by themselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Whoever asks tries again, and knows what else is under way.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs },
  })
  return new SdkStorage(storage, client, { ...s3, getSignedUrl })
}

type Sdk = typeof S3 & Pick<typeof Presigner, 'getSignedUrl'>

interface SendOptions {
  readonly abortSignal?: AbortSignal
}

class SdkStorage implements ObjectStorage {
  readonly #storage: Storage
  readonly #client: S3.S3Client
  readonly #sdk: Sdk

  constructor(storage: Storage, client: S3.S3Client, sdk: Sdk) {
    this.#storage = storage
    this.#client = client
    this.#sdk = sdk
  }

  async size(Key: string, signal?: AbortSignal) {
    const command = new this.#sdk.HeadObjectCommand({ Bucket: this.#bucket, Key })
    try {
      return (await this.#ask((options) => this.#client.send(command, options), signal)).ContentLength ?? 0
    } catch (error) {
      if (error instanceof Missing) return undefined
      throw error
    }
  }

  async put(Key: string, Body: Uint8Array, ContentType: string, signal?: AbortSignal) {
    const command = new this.#sdk.PutObjectCommand({ Bucket: this.#bucket, Key, Body, ContentType })
    await this.#ask((options) => this.#client.send(command, options), signal)
  }

  async begin(Key: string, ContentType: string, signal?: AbortSignal) {
    const command = new this.#sdk.CreateMultipartUploadCommand({ Bucket: this.#bucket, Key, ContentType })
    const { UploadId } = await this.#ask((options) => this.#client.send(command, options), signal)
    if (!UploadId) throw new StorageTrouble('passing', say`${this.#storage.endpoint} began no upload.`)
    return UploadId
  }

  async putPart({ key: Key, uploadId: UploadId, number }: PartOf, Body: Uint8Array, signal?: AbortSignal) {
    const input = { Bucket: this.#bucket, Key, UploadId, PartNumber: number, Body }
    const command = new this.#sdk.UploadPartCommand(input)
    const { ETag } = await this.#ask((options) => this.#client.send(command, options), signal)
    if (!ETag) throw new StorageTrouble('passing', say`${this.#storage.endpoint} did not confirm a part.`)
    return { number, etag: ETag }
  }

  async finish(
    { key: Key, uploadId: UploadId }: UploadInParts,
    parts: readonly UploadedPart[],
    signal?: AbortSignal,
  ) {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
    const input = { Bucket: this.#bucket, Key, UploadId, MultipartUpload: { Parts } }
    const command = new this.#sdk.CompleteMultipartUploadCommand(input)
    await this.#ask((options) => this.#client.send(command, options), signal)
  }

  async abandon({ key: Key, uploadId: UploadId }: UploadInParts) {
    const command = new this.#sdk.AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId })
    await this.#client.send(command).catch(() => undefined)
  }

  async remove(Key: string, signal?: AbortSignal) {
    const command = new this.#sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key })
    await this.#ask((options) => this.#client.send(command, options), signal)
  }

  async link(Key: string, expiresIn: number) {
    const command = new this.#sdk.GetObjectCommand({ Bucket: this.#bucket, Key })
    return await this.#sdk.getSignedUrl(this.#client, command, { expiresIn })
  }

  close() {
    this.#client.destroy()
  }

  get #bucket(): string {
    return this.#storage.bucket
  }

  async #ask<T>(send: (options: SendOptions) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await send(signal ? { abortSignal: signal } : {})
    } catch (error) {
      throw troubleOf(this.#storage, error)
    }
  }
}

/** An answer that says: there is no such object. */
class Missing extends StorageTrouble {}

const rejected = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'TokenRefreshRequired',
])

/** In our own words: what the SDK says may repeat what it was given. */
function troubleOf({ endpoint, bucket, region }: Storage, error: unknown): StorageTrouble {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode
  const code = displayText(name, 60)
  if (rejected.has(name)) {
    return new StorageTrouble(
      'set-up',
      say`The storage at ${endpoint} rejected the keys (${code}); give them again.`,
    )
  }
  if (name === 'NoSuchUpload')
    return new StorageTrouble(
      'no-upload',
      say`The storage at ${endpoint} does not know this upload any more.`,
    )
  if (name === 'NoSuchBucket')
    return new StorageTrouble(
      'set-up',
      say`The storage at ${endpoint} has no bucket "${bucket}"; check its name.`,
    )
  if (name === 'RequestTimeTooSkewed') {
    return new StorageTrouble(
      'set-up',
      say`This computer's clock is wrong, so the storage refuses it; set the clock.`,
    )
  }
  if (status === 401 || status === 403) {
    return new StorageTrouble(
      'set-up',
      code === 'Unknown'
        ? say`The storage at ${endpoint} refuses these keys for the bucket "${bucket}" (${status}); allow them to read, write and delete there.`
        : say`The storage at ${endpoint} refuses these keys for the bucket "${bucket}" (${status} ${code}); allow them to read, write and delete there.`,
    )
  }
  if (
    status === 301 ||
    status === 307 ||
    name === 'PermanentRedirect' ||
    name === 'AuthorizationHeaderMalformed'
  ) {
    return new StorageTrouble(
      'set-up',
      say`The bucket "${bucket}" is in another region than ${region}; give that one.`,
    )
  }
  if (status === 404)
    return new Missing('set-up', say`The storage at ${endpoint} has no bucket "${bucket}"; check its name.`)
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return new StorageTrouble(
      'set-up',
      say`The storage at ${endpoint} refused what was asked of it (${status} ${code}).`,
    )
  }
  if (status !== undefined)
    return new StorageTrouble('passing', say`The storage at ${endpoint} has trouble (${status} ${code}).`)
  return new StorageTrouble('passing', say`The storage at ${endpoint} cannot be reached (${code}).`)
}
