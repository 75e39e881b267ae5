import { speechOf, type LanguageChoice } from '../../shared/language/choice.ts'
import { hear } from '../../shared/language/said.ts'
import { speak, spoken } from '../../shared/language/text.ts'

/** Where a window keeps its language: it speaks before the engine has said what was chosen. */
const place = 'vitrine.language'

type Kept = Pick<Storage, 'getItem' | 'setItem'>

/** To be awaited before anything is loaded that makes texts. */
export async function startLanguage(kept: Kept, machine: readonly string[]): Promise<void> {
  const { language, locale } = speechOf(kept.getItem(place), machine)
  const words = language === 'de' ? await import('../../shared/language/german-window.ts') : undefined
  speak(language, words?.germanWindow ?? {}, locale)
  hear(words?.germanEngine ?? {})
  document.documentElement.lang = language === 'de' ? 'de' : 'en'
}

/**
 * Keeps what was chosen for the next start.
 * @returns whether the page has to be loaded anew to speak it
 */
export function keepLanguage(choice: LanguageChoice, kept: Kept, machine: readonly string[]): boolean {
  const before = kept.getItem(place)
  // What a test has asked for is not the person's to change.
  if (before === 'long' || before === choice) return false
  kept.setItem(place, choice)
  // Where nothing is kept, the page loaded anew would ask for the same again, without end.
  return kept.getItem(place) === choice && speechOf(choice, machine).language !== spoken()
}
