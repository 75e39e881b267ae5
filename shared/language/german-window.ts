import engine from './german/engine/engine.json' with { type: 'json' }
import app from './german/window/app.json' with { type: 'json' }
import batches from './german/window/batches.json' with { type: 'json' }
import compare from './german/window/compare.json' with { type: 'json' }
import connection from './german/window/connection.json' with { type: 'json' }
import history from './german/window/history.json' with { type: 'json' }
import hotFolders from './german/window/hot-folders.json' with { type: 'json' }
import intake from './german/window/intake.json' with { type: 'json' }
import preferences from './german/window/preferences.json' with { type: 'json' }
import presets from './german/window/presets.json' with { type: 'json' }
import review from './german/window/review.json' with { type: 'json' }
import settings from './german/window/settings.json' with { type: 'json' }
import sharedSaid from './german/engine/shared.json' with { type: 'json' }
import shared from './german/window/shared.json' with { type: 'json' }
import ui from './german/window/ui.json' with { type: 'json' }
import variants from './german/window/variants.json' with { type: 'json' }
import type { Catalog } from './text.ts'

/** What a window says itself, in German. Loaded only where German is spoken. */
export const germanWindow: Catalog = {
  ...app,
  ...batches,
  ...compare,
  ...connection,
  ...history,
  ...hotFolders,
  ...intake,
  ...preferences,
  ...presets,
  ...review,
  ...settings,
  ...shared,
  ...ui,
  ...variants,
}

/** What the engine says (`say`), also with what it has from shared/. */
export const germanEngine: Catalog = { ...shared, ...sharedSaid, ...engine }
