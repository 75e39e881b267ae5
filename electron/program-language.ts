import type { App } from 'electron'
import type { PreferenceStore } from '../engine/preferences/preferences.ts'
import type { LanguageChoice } from '../shared/language/choice.ts'
import { speakProgram } from '../shared/language/speak-program.ts'

/** What a person has chosen; preferences that cannot be read are told by the engine, which needs them more. */
export function chosenLanguage(preferences: Pick<PreferenceStore, 'read'>): LanguageChoice {
  try {
    return preferences.read().chosen.language ?? 'system'
  } catch {
    return 'system'
  }
}

/** The language of everything that the desktop program says outside its window. */
export class ProgramLanguage {
  readonly #app: Pick<App, 'getPreferredSystemLanguages' | 'getLocale'>
  #choice: LanguageChoice | undefined

  /** @param app ready, or it knows no languages yet */
  constructor(app: Pick<App, 'getPreferredSystemLanguages' | 'getLocale'>) {
    this.#app = app
  }

  /** @returns whether something else was spoken before, so that what has been said has to be said anew */
  async speak(choice: LanguageChoice): Promise<boolean> {
    if (choice === this.#choice) return false
    this.#choice = choice
    const languages = this.#app.getPreferredSystemLanguages()
    await speakProgram(choice, languages.length > 0 ? languages : [this.#app.getLocale()])
    return choice === this.#choice
  }
}
