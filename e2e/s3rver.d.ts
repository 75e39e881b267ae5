declare module 's3rver' {
  import type { RequestListener } from 'node:http'
  /** What is used of it: a server of the S3 protocol over a folder. */
  // oxlint-disable-next-line import/no-default-export
  export default class S3rver {
    constructor(options: {
      readonly directory: string
      readonly silent: boolean
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[]
    })
    callback(): RequestListener
    configureBuckets(): Promise<void>
  }
}
