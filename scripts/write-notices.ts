// Writes THIRD-PARTY.md: what the shipped libraries want said of them.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noticesText, shippedLibraries } from './notices.ts'
import { root } from './tool.ts'

const lock: unknown = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
const libraries = shippedLibraries(lock)
await writeFile(join(root, 'THIRD-PARTY.md'), await noticesText(root, libraries))
process.stdout.write(`THIRD-PARTY.md names ${libraries.length} libraries.\n`)
