import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { Storage } from '../../../shared/own-files.ts'

/** Keys that the server takes; it knows no others. */
export const storageKeys = { accessKey: 'S3RVER', secretKey: 'canary-secret-key-of-the-storage' }

export interface StorageServer {
  readonly storage: Storage
  /** Method, path and the words of the query that tell requests apart, in their order. */
  readonly requests: string[]
  /** Names of the objects that are there. */
  readonly objects: () => Promise<string[]>
  /** Decides what becomes of a request before the server sees it; true where it was dealt with. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>
  readonly close: () => Promise<void>
}

/**
 * A real server of the S3 protocol (s3rver) on loopback. What it leaves out stands in front of it: objects are private,
 * an upload in parts that was not begun is refused, and one may be given up.
 */
export async function startStorageServer(
  more: Partial<Storage> = {},
  { port = 0 }: { readonly port?: number } = {},
): Promise<StorageServer> {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-s3-'))
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: 'pictures', configs: [] }] })
  await s3.configureBuckets()
  const answer = s3.callback()
  const begun = new Set<string>()
  const requests: string[] = []
  const server = createServer((request, response) => void handle(request, response))
  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url!, 'http://127.0.0.1')
    const words = ['uploads', 'uploadId', 'partNumber'].filter((word) => url.searchParams.has(word))
    requests.push([request.method, decodeURIComponent(url.pathname), ...words].join(' '))
    if (await made.intercept(request, response)) return
    const signed = request.headers.authorization ?? url.searchParams.get('X-Amz-Signature')
    if (!signed) return refuse(response, 403, 'AccessDenied')
    const upload = url.searchParams.get('uploadId')
    if (upload !== null && !begun.has(upload)) return refuse(response, 404, 'NoSuchUpload')
    if (upload !== null && request.method === 'DELETE') {
      begun.delete(upload)
      response.writeHead(204).end()
      return
    }
    if (upload !== null && request.method === 'POST') begun.delete(upload)
    if (url.searchParams.has('uploads')) noteUploadId(response, begun)
    answer(request, response)
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made: StorageServer = {
    storage: {
      endpoint,
      region: 'auto',
      bucket: 'pictures',
      prefix: '',
      pathStyle: true,
      keep: false,
      conversion: null,
      ...more,
    },
    requests,
    intercept: () => false,
    objects: async () => await listObjects(endpoint),
    async close() {
      server.closeAllConnections()
      server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
  return made
}

function refuse(response: ServerResponse, status: number, code: string) {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/** Reads from the answer which upload was begun. */
function noteUploadId(response: ServerResponse, begun: Set<string>) {
  const end = response.end.bind(response)
  response.end = ((chunk: unknown, ...rest: never[]) => {
    const id = /<UploadId>([^<]+)</.exec(String(chunk))?.[1]
    if (id !== undefined) begun.add(id)
    return end(chunk, ...rest)
  }) as typeof response.end
}

async function listObjects(endpoint: string): Promise<string[]> {
  const { S3Client, ListObjectsV2Command } = await import('@aws-sdk/client-s3')
  const client = new S3Client({
    endpoint,
    region: 'auto',
    forcePathStyle: true,
    credentials: { accessKeyId: storageKeys.accessKey, secretAccessKey: storageKeys.secretKey },
  })
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'pictures' }))
  client.destroy()
  return Contents.map(({ Key }) => Key!)
}
