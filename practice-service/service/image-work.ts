import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RetoucherSettings } from '../../shared/settings.ts'
import type { ShadowDefaults } from './accounts.ts'
import type { MadeOutput } from './outputs.ts'

/** The pictures a run yields: the primary first. */
export interface PictureWork {
  process(job: {
    readonly input: Buffer
    readonly app: 'rescue' | 'precision'
    readonly settings: RetoucherSettings
    readonly accountDefaults: ShadowDefaults
  }): Promise<{ readonly outputs: readonly MadeOutput[]; readonly thumbnail: Buffer }>
  close(): Promise<void>
}

/** Where outputs lie: in the state folder, or in a temporary one made when needed and removed at the end. */
export class OutputFolder {
  readonly #given: string | undefined
  #made: Promise<string> | undefined

  constructor(given: string | undefined) {
    this.#given = given
  }

  path(): Promise<string> {
    if (this.#given !== undefined) return Promise.resolve(join(this.#given, 'outputs'))
    this.#made ??= mkdtemp(join(tmpdir(), 'practice-service-'))
    return this.#made
  }

  async remove(): Promise<void> {
    if (this.#made) await rm(await this.#made, { recursive: true, force: true })
  }
}
