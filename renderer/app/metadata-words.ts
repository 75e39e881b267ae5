import type { MetadataChoice } from '../../shared/metadata.ts'
import { t } from '../../shared/language/text.ts'

/** What a person may have written into files, in the order in which it is offered. */
export const metadataWords: readonly (readonly [MetadataChoice, string])[] = [
  ['none', t`nothing, files stay as they come`],
  ['source', t`what the source says`],
  ['run', t`settings and run`],
  ['source+run', t`what the source says, settings and run`],
  ['sidecar', t`settings and run in a file beside it`],
  ['source+sidecar', t`what the source says; settings and run beside it`],
]
