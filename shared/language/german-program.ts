import said from './german/engine/engine.json' with { type: 'json' }
import sharedSaid from './german/engine/shared.json' with { type: 'json' }
import electron from './german/program/electron.json' with { type: 'json' }
import engine from './german/program/engine.json' with { type: 'json' }
import shared from './german/program/shared.json' with { type: 'json' }
import type { Catalog } from './text.ts'

/** What the program says outside its window, in German. Loaded only where German is spoken. */
export const germanProgram: Catalog = { ...electron, ...engine, ...shared }

/** What the engine says (`say`): notifications and reports repeat sentences of its. */
export const germanEngine: Catalog = { ...sharedSaid, ...said }
