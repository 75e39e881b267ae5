/**
 * What is written into delivered files beside their pixels. `source`: what the source says of itself (capture data,
 * copyright, IPTC, XMP). `run`: the settings and the run's id, inside the file. `sidecar`: the same in a small file
 * beside it.
 */
export const metadataChoices = ['none', 'source', 'run', 'source+run', 'sidecar', 'source+sidecar'] as const
export type MetadataChoice = (typeof metadataChoices)[number]

/** What a choice asks for, part by part. */
export interface MetadataParts {
  readonly source: boolean
  readonly run: 'nowhere' | 'inside' | 'beside'
}

/** Takes a choice apart. */
export function metadataParts(choice: MetadataChoice): MetadataParts {
  const words = choice.split('+')
  const run = words.includes('run') ? 'inside' : words.includes('sidecar') ? 'beside' : 'nowhere'
  return { source: words.includes('source'), run }
}

/** Whether a choice changes the bytes of the delivered pictures. */
export function changesPictures(choice: MetadataChoice): boolean {
  const { source, run } = metadataParts(choice)
  return source || run === 'inside'
}
