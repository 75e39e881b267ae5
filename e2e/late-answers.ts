import type { Page } from 'playwright-core'

/** Answers of the engine that are held back until a test lets them through; everything else comes as ever. */
export interface LateAnswers {
  /** How many answers to that question are held back now. */
  readonly held: (question: string) => number
  /** Lets those of a question through that are held, and those that come later, if `forGood`. */
  readonly release: (question: string, forGood?: boolean) => void
}

/** Before the page is opened: from then on answers to these questions are held back. */
export async function holdAnswers(page: Page, ...questions: readonly string[]): Promise<LateAnswers> {
  const waiting = new Map<string, (() => void)[]>(questions.map((question) => [question, []]))
  const free = new Set<string>()
  await page.routeWebSocket(/./, (line) => {
    const engine = line.connectToServer()
    const asked = new Map<number, string>()
    line.onMessage((text) => {
      const { type, path, id } = JSON.parse(String(text)) as { type: string; path?: string; id: number }
      if (type === 'start' && path !== undefined) asked.set(id, path)
      engine.send(text)
    })
    engine.onMessage((text) => {
      const { id = -1 } = JSON.parse(String(text)) as { id?: number }
      const question = asked.get(id) ?? ''
      const list = free.has(question) ? undefined : waiting.get(question)
      if (list) list.push(() => line.send(text))
      else line.send(text)
    })
  })
  return {
    held: (question) => waiting.get(question)!.length,
    release(question, forGood = false) {
      if (forGood) free.add(question)
      for (const pass of waiting.get(question)!.splice(0)) pass()
    },
  }
}
