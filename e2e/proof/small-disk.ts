import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A disk of its own in memory, of a few hundred kilobytes; only root on Linux may have one. */
export class SmallDisk {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Undefined where this machine does not let us. */
  static mount(folder: string, kilobytes: number): SmallDisk | undefined {
    mkdirSync(folder, { recursive: true })
    const options = ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'vitrine-proof', folder]
    return spawnSync('mount', options).status === 0 ? new SmallDisk(folder) : undefined
  }

  /** Another size, or another right to write. */
  change(options: string): void {
    const { status, stderr } = spawnSync('mount', ['-o', `remount,${options}`, this.folder])
    if (status !== 0) throw new Error(`The small disk could not be changed: ${stderr.toString()}`)
  }

  /** Takes all room that is left. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.folder)
    for (let bytes = bavail * bsize, n = 0; bytes >= 1 && n < 40; bytes >>>= 1, n += 1) {
      try {
        writeFileSync(this.#ballast, Buffer.alloc(bytes, 1), { flag: 'a' })
      } catch {
        // What fitted was written; the next piece is smaller.
      }
    }
  }

  empty(): void {
    rmSync(this.#ballast, { force: true })
  }

  unmount(): void {
    spawnSync('umount', ['-l', this.folder])
  }

  get #ballast(): string {
    return join(this.folder, 'ballast')
  }
}
