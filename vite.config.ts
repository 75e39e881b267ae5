import react from '@vitejs/plugin-react'
import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/**
 * React Aria carries its few sentences in some thirty languages; the program speaks English and German, so the others
 * stay out of the page. In their place stands the English: React Aria breaks where a language has no sentences.
 */
const ourLanguages: Plugin = {
  name: 'our-languages',
  enforce: 'pre',
  load(id) {
    const [, locale, ending] =
      /\/react-(?:aria|aria-components|stately)\/.*\/([a-z]{2}-[A-Z]{2})\.(m?js)$/.exec(id) ?? []
    if (locale === undefined || locale === 'en-US' || locale === 'de-DE') return undefined
    return `export { default } from './en-US.${ending}'`
  },
}

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/**
 * The window is loaded once the language is known, and then whole: all that it reads before it shows anything is one
 * chunk. By itself the bundler would make a chunk of every module that a later screen needs too.
 */
function firstWindow() {
  let early: Set<string> | undefined
  let first: Set<string> | undefined
  const gather = (id: string, graph: ModuleGraph, into: Set<string>) => {
    if (into.has(id)) return into
    into.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) gather(imported, graph, into)
    return into
  }
  return {
    name: (id: string, graph: ModuleGraph) => {
      // What finds the language out must not bring the window with it: its modules make texts while they load.
      early ??= gather(resolve('renderer/app/language.ts'), graph, new Set())
      first ??= gather(resolve('renderer/app/window.tsx'), graph, new Set(early))
      return !early.has(id) && first.has(id) ? 'window' : null
    },
    debugName: 'window',
  }
}

const devPages = ['sheet', 'stage'].map((name) => resolve(`renderer/dev/${name}.html`))

/**
 * The page. `vite build` writes it to dist/renderer, `vite build --mode sheet` the component sheet and the stage of
 * made-up scenes to dist/sheet. Nothing in it is inline, so that it works under `default-src 'none'; script-src 'self';
 * style-src 'self'; font-src 'self'`.
 */
export default defineConfig(({ mode }) => {
  const sheet = mode === 'sheet'
  return {
    root: 'renderer',
    // Relative: the page is read over http as well as from files of the desktop program.
    base: './',
    plugins: [react(), ourLanguages],
    // No text becomes code, so zod must not even try whether it may. Said here, it holds in every chunk and worker, in
    // whatever order they are loaded.
    define: { 'globalThis.__zod_globalConfig': JSON.stringify({ jitless: true }) },
    build: {
      outDir: sheet ? '../dist/sheet' : '../dist/renderer',
      emptyOutDir: true,
      target: 'chrome140',
      // Small files would become data: addresses, which the content policy does not let fonts and styles have.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // In kB before compression: the page is read from the disk.
      chunkSizeWarningLimit: 1500,
      rolldownOptions: sheet
        ? { input: devPages }
        : { output: { codeSplitting: { groups: [firstWindow()], includeDependenciesRecursively: false } } },
    },
  }
})
