import { speechOf } from './choice.ts'
import { hear } from './said.ts'
import { speak } from './text.ts'

let lastAsked = 0

/**
 * Speaks in a program that has no page: in its menus, notifications and reports. What a person chooses may change while
 * it runs; of two choices the later one holds, whichever is loaded first.
 * @param choice as in the preferences
 * @param machine the machine's languages, BCP 47 tags, the most wanted first
 */
export async function speakProgram(choice: string, machine: readonly string[]): Promise<void> {
  lastAsked += 1
  const asked = lastAsked
  const { language, locale } = speechOf(choice, machine)
  const words = language === 'de' ? await import('./german-program.ts') : undefined
  if (asked !== lastAsked) return
  speak(language, words?.germanProgram ?? {}, locale)
  hear(words?.germanEngine ?? {})
}
