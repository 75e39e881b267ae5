import type { Run } from '../../shared/wire.ts'
import type { OfferedOutput } from './parts.ts'
import { say } from '../../shared/language/say.ts'

/** What the service calls the first file only where there are several (interface, 2.1). */
export const primaryOutput = { label: say`Result`, slug: 'primary' } as const

/** The files of a run: the primary first, under its label, then the extras (interface, 2.1 and 2.2). */
export function outputsOf(run: Run): OfferedOutput[] {
  if (run.outputUrl === undefined) return []
  const outputs: OfferedOutput[] = [
    {
      ...primaryOutput,
      label: run.primaryLabel ?? primaryOutput.label,
      url: run.outputUrl,
      isVideo: run.isVideo,
    },
  ]
  for (const extra of run.extraOutputs) {
    // Slugs name files; the service is not trusted to keep them apart.
    let slug = extra.slug
    for (let n = 2; outputs.some((output) => output.slug === slug); n += 1) slug = `${extra.slug}-${n}`
    outputs.push({ label: extra.label, slug, url: extra.url, isVideo: false })
  }
  return outputs
}
