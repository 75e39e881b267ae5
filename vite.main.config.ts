import { resolve } from 'node:path'
import { defineConfig, type UserConfig } from 'vite'

/** The preload of a sandboxed window: one CommonJS file that requires `electron` and nothing else. */
const preload: UserConfig = {
  publicDir: false,
  build: {
    outDir: 'dist/electron',
    emptyOutDir: false,
    target: 'node24',
    minify: false,
    lib: { entry: resolve('electron/preload/preload.ts'), formats: ['cjs'], fileName: () => 'preload.cjs' },
    rolldownOptions: { external: ['electron'], output: { codeSplitting: false } },
  },
}

export default defineConfig(preload)
