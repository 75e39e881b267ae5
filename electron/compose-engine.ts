import { dataFolder } from '../engine/data-folder.ts'
import { systemClock } from '../engine/clock.ts'
import { createInterface } from '../engine/interface/create-interface.ts'
import type { Practice, PracticeOptions } from '../engine/interface/parts.ts'
import { createNodeTransport } from '../engine/service/node-transport.ts'
import { createDownloads } from '../engine/service/undici-downloads.ts'
import { Store } from '../engine/store/store.ts'
import { startPracticeService, writeShootLists } from '../practice-service/start.ts'
import type { DesktopEngine, EngineNeeds } from './desktop-program.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The composition root of the desktop: the same engine as that of the command line, behind the contract. Requests of
 * the engine go through Node's own stack; Chromium's would repeat a submission whose connection died.
 */
export async function composeEngine(needs: EngineNeeds, env: Env): Promise<DesktopEngine> {
  const store = new Store(dataFolder(needs.home).queue)
  const transport = createNodeTransport()
  try {
    const engine = await createInterface({
      ...needs,
      store,
      transport,
      clock: systemClock,
      random: Math.random,
      openDownloads: (baseUrl) => createDownloads({ baseUrl }),
      startPractice: (options) => startPractice(options, env['VITRINE_PRACTICE_SECONDS']),
      given: givenConnection(env),
      settleMs: settleMs(env),
    })
    return {
      ...engine,
      async close() {
        await engine.close()
        transport.close()
        store.close()
      },
    }
  } catch (error) {
    transport.close()
    store.close()
    throw error
  }
}

/** A connection for this run that the surroundings name, as they do for the command line. */
function givenConnection(env: Env): { baseUrl: string; key: string } | undefined {
  const [baseUrl, key] = [env['VITRINE_BASE_URL']?.trim(), env['VITRINE_API_KEY']?.trim()]
  return baseUrl && key ? { baseUrl, key } : undefined
}

/** VITRINE_SETTLE_SECONDS in ms, as the command line takes it; what is no number is as if it were not there. */
function settleMs(env: Env): number | undefined {
  const text = env['VITRINE_SETTLE_SECONDS']?.trim() ?? ''
  return /^\d*\.?\d+$/.test(text) && Number(text) <= 86_400 ? Number(text) * 1000 : undefined
}

const playCredits = 500

/**
 * The stand-in of the service, in this process; its image work has threads of its own.
 * @param seconds that a run is worked on, for tests
 */
async function startPractice(
  { port, stateFolder }: PracticeOptions,
  seconds: string | undefined,
): Promise<Practice> {
  const key = 'practice'
  const service = await startPracticeService({
    port,
    stateFolder,
    accounts: [{ key, subscriptionCredits: playCredits, otherCredits: 0 }],
    ...(seconds !== undefined && Number(seconds) >= 0 ? { processing: Number(seconds) } : {}),
  })
  return {
    url: service.url,
    key,
    writeSamples: async (folder) => void (await writeShootLists(folder, service.origin)),
    close: service.close,
  }
}
