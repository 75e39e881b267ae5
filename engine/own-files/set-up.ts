import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { PublishedFolder, Storage } from '../../shared/own-files.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { displayText } from '../intake/display-text.ts'
import { isLoopbackHost } from '../service/base-url.ts'
import { say } from '../../shared/language/say.ts'

/** Checks what a person gave as a published folder. @throws Fault with a sentence */
export async function checkPublishedFolder(wanted: PublishedFolder): Promise<PublishedFolder> {
  const folder = resolve(wanted.folder)
  const about = await stat(folder).catch(() => undefined)
  if (!about?.isDirectory()) {
    throw new Fault(
      'refused',
      say`${displayText(wanted.folder, 300)} is no folder that can be read; choose another.`,
    )
  }
  return { folder, address: publishedAddress(wanted.address) }
}

/** The address of a published folder, as it is kept. @throws Fault with a sentence */
export function publishedAddress(text: string): string {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Fault('refused', say`The address of the folder must begin with https:// or http://.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Fault('refused', say`The address of the folder must not hold a name or password.`)
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Fault('refused', say`The address of the folder must not hold ? or #; give the part before it.`)
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

/** Checks what a person gave as a storage, without asking it. @throws Fault with a sentence */
export function checkStorage(wanted: Storage): Storage {
  const bucket = wanted.bucket.trim()
  if (!/^[a-z0-9][a-z0-9._-]{2,62}$/i.test(bucket)) {
    throw new Fault(
      'refused',
      say`The bucket is its name alone: three or more letters, digits, dots and hyphens.`,
    )
  }
  const prefix = wanted.prefix.trim().replace(/^\/+|\/+$/g, '')
  if (!/^[\w.\-/ ]*$/.test(prefix) || prefix.split('/').some((part) => part === '.' || part === '..')) {
    throw new Fault('refused', say`The prefix may hold letters, digits, dots, hyphens and slashes.`)
  }
  const region = wanted.region.trim()
  if (!/^[\w-]+$/.test(region)) {
    throw new Fault(
      'refused',
      say`The region is a word such as eu-central-1; where a storage has none it is auto.`,
    )
  }
  const endpoint = endpointOf(wanted.endpoint)
  return {
    ...wanted,
    endpoint,
    bucket,
    region: region === 'auto' ? regionIn(endpoint) : region,
    prefix: prefix === '' ? '' : `${prefix}/`,
  }
}

/** The region that an endpoint of AWS or Backblaze names; others take `auto`. */
function regionIn(endpoint: string): string {
  return /^https:\/\/s3[.-]([a-z0-9-]+)\.(?:amazonaws|backblazeb2)\.com$/.exec(endpoint)?.[1] ?? 'auto'
}

function endpointOf(text: string): string {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Fault('refused', say`The endpoint is the address of the storage and begins with https://.`)
  }
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.pathname !== '/'
  ) {
    throw new Fault(
      'refused',
      say`The endpoint is the address of the storage alone, without bucket, path or key.`,
    )
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new Fault(
      'refused',
      say`The endpoint must begin with https://: over http:// pictures and links go in clear.`,
    )
  }
  return url.origin
}
