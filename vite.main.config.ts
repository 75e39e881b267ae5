import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

/**
 * What Electron runs, in dist/electron: `vite build --config vite.main.config.ts --mode main`, then `--mode preload`.
 * Everything of ours and every pure library is bundled; what has files of its own stays a package.
 */
const outDir = resolve('dist/electron')

/**
 * Packages with binaries or programs of their own, one that must be loaded by Electron itself, one that is loaded only
 * when there is a feed, and one whose place the desktop's own key store takes.
 */
const apart = [
  'electron',
  'electron-updater',
  '@napi-rs/keyring',
  'better-sqlite3',
  'exiftool-vendored',
  'sharp',
]

/** The sample shoot lies beside the code that serves it, as it does in the sources. */
const samplePictures: Plugin = {
  name: 'sample-pictures',
  async closeBundle() {
    await cp(resolve('practice-service/shoot/pictures'), join(outDir, 'pictures'), { recursive: true })
  },
}

const main: UserConfig = {
  publicDir: false,
  plugins: [samplePictures],
  ssr: { noExternal: true, external: apart },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'node24',
    ssr: true,
    minify: false,
    rolldownOptions: {
      // The second is loaded where a terminal asks for it; the others run in processes and threads of their own, and are
      // looked for beside the code that starts them.
      input: {
        main: resolve('electron/main.ts'),
        'command-line': resolve('cli/packed.ts'),
        'picture-process': resolve('engine/pictures/picture-process.ts'),
        'image-worker': resolve('practice-service/imaging/image-worker.ts'),
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
}

/** The preload of a sandboxed window: one CommonJS file that requires `electron` and nothing else. */
const preload: UserConfig = {
  publicDir: false,
  build: {
    outDir,
    emptyOutDir: false,
    target: 'node24',
    minify: false,
    lib: { entry: resolve('electron/preload/preload.ts'), formats: ['cjs'], fileName: () => 'preload.cjs' },
    rolldownOptions: { external: ['electron'], output: { codeSplitting: false } },
  },
}

export default defineConfig(({ mode }) => (mode === 'preload' ? preload : main))
