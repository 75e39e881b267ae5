import type { Language } from './text.ts'

/** What a person can choose; `system` is the language of the machine, English where that is none of ours. */
export const languageChoices = ['system', 'en', 'de'] as const
export type LanguageChoice = (typeof languageChoices)[number]

/** What is spoken, and how dates and numbers are written; without a locale as the machine does. */
export interface Speech {
  readonly language: Language
  readonly locale: string | undefined
}

/**
 * @param choice a person's, or `long` for tests of the layout; whatever else counts as `system`
 * @param machine the machine's languages, BCP 47 tags, the most wanted first
 */
export function speechOf(choice: string | null, machine: readonly string[]): Speech {
  const first = machine[0] ?? 'en'
  if (choice === 'long') return { language: 'long', locale: undefined }
  if (choice !== 'en' && choice !== 'de') {
    return isOf(first, 'de') ? { language: 'de', locale: first } : { language: 'en', locale: undefined }
  }
  // The machine's own way of writing where it is one of that language: de-AT, en-US.
  const own = machine.find((tag) => isOf(tag, choice))
  return { language: choice, locale: own ?? (choice === 'de' ? 'de-DE' : 'en-GB') }
}

/** Not by its first letters alone: `den` is Slavey, and no locale to write German dates by. */
function isOf(tag: string, language: 'en' | 'de'): boolean {
  return tag.split('-')[0]!.toLowerCase() === language
}
