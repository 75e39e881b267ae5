import type { EngineInterface } from '../../engine/interface/create-interface.ts'
import { speakProgram } from '../../shared/language/speak-program.ts'

/**
 * Speaks the language that is chosen in the window, now and at each change: the reports that it orders are written by
 * this process. What the command line itself prints is English and stays so.
 * @param locale of this process, for whoever leaves the choice to the system
 * @returns ends it; English is spoken again
 */
export function speakChosen(
  { handlers }: Pick<EngineInterface, 'handlers'>,
  locale: string,
  onFault: (error: unknown) => void,
): () => Promise<void> {
  const end = new AbortController()
  const follow = async () => {
    for await (const { language } of handlers.preferences.watch({}, { signal: end.signal })) {
      await speakProgram(language, [locale])
    }
  }
  const following = follow().catch(onFault)
  return async () => {
    end.abort()
    await following
    await speakProgram('en', [])
  }
}
