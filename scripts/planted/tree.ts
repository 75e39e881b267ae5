import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../tool.ts'
import { slipped, type PlantedBug } from './planted-bug.ts'

/** A copy of the sources in which mistakes may be planted. */
export class Tree {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Copies what git knows or would not ignore; packages and the built page are those of the project itself. */
  static copy(folder: string): Tree {
    const { status, stdout } = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 ** 2,
    })
    if (status !== 0) throw new Error('The sources cannot be listed: git is needed, and a clone.')
    for (const file of new Set(stdout.split('\0').filter(Boolean))) {
      // Listed, and removed since.
      if (!existsSync(join(root, file))) continue
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      cpSync(join(root, file), join(folder, file))
    }
    for (const shared of ['node_modules', 'dist']) {
      if (existsSync(join(root, shared))) symlinkSync(join(root, shared), join(folder, shared), 'junction')
    }
    return new Tree(folder)
  }

  /** Plants a mistake; what comes back takes it out again. */
  plant({ slips }: PlantedBug): () => void {
    const files = [...new Set(slips.map(({ file }) => file))].map((file) => {
      const path = join(this.folder, file)
      const source = readFileSync(path, 'utf8')
      const own = slips.filter((slip) => slip.file === file)
      return { path, source, planted: slipped(source, own) }
    })
    for (const { path, planted } of files) writeFileSync(path, planted)
    return () => {
      for (const { path, source } of files) writeFileSync(path, source)
    }
  }
}
