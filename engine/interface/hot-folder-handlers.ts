import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { HotFolderRecord } from '../../shared/contract/hot-folder-records.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { startOfDay } from '../hot-folders/start-of-day.ts'
import { usualPace } from '../hot-folders/hot-folder.ts'
import { HotFolders } from '../hot-folders/hot-folders.ts'
import { changeHotFolder, setUpHotFolder } from '../hot-folders/set-up.ts'
import { isSetUp, picturesSentence } from '../hot-folders/take-in.ts'
import type { HotFolder } from '../store/hot-folders.ts'
import type { Changes } from './changes.ts'
import { joined } from './joined.ts'
import type { Notices } from './notices.ts'
import type { InterfaceParts } from './parts.ts'
import { Topic } from './topic.ts'
import type { Workplace } from './workplace.ts'
import { say } from '../../shared/language/say.ts'

export interface HotFolderParts {
  readonly parts: InterfaceParts
  readonly workplace: Workplace
  readonly changes: Changes
  readonly notices: Notices
}

interface HandlerParts extends HotFolderParts {
  readonly hotFolders: HotFolders
  /** Rung whenever a hot folder changes. */
  readonly topic: Topic
}

/** Puts the hot folders of the active connection to work, and behind the contract. */
export function openHotFolders(all: HotFolderParts): {
  readonly handlers: Handlers<EngineContract>['hotFolders']
  readonly close: () => Promise<void>
} {
  const { parts, workplace, notices } = all
  const topic = new Topic()
  const { store, preferences, clock, onFault } = parts
  const hotFolders = new HotFolders(
    {
      store,
      preferences,
      clock,
      onFault,
      openDownloads: parts.openDownloads,
      pace: parts.hotFolderPace ?? usualPace,
      tell: (message, tone) => notices.tell(message, tone),
      onChange: () => topic.ring(),
    },
    () => workplace.bench?.session.storeId,
  )
  return { handlers: hotFolderHandlers({ ...all, hotFolders, topic }), close: () => hotFolders.close() }
}

function hotFolderHandlers(all: HandlerParts): Handlers<EngineContract>['hotFolders'] {
  const { parts, workplace, changes, topic } = all
  const { store } = parts
  const changed = () => {
    topic.ring()
    return {}
  }
  return {
    watch: (_, { signal }) =>
      joined(
        [topic, changes.topic, workplace.topic],
        () => ({ folders: store.hotFolders.all().map((folder) => recordOf(all, folder)) }),
        signal,
        changes,
      ),
    add: async (wanted) => {
      const { id } = await setUpHotFolder(parts, workplace.session().storeId, wanted)
      topic.ring()
      return { id }
    },
    change: async ({ id, name, preset, outDir, budget, moveDone, polling }) => {
      const folder = folderOf(parts, id)
      await changeHotFolder(parts, folder, {
        ...(name === undefined || name === '' ? {} : { name }),
        ...(preset === undefined ? {} : { preset }),
        ...(outDir === undefined ? {} : { outDir }),
        ...(budget === undefined ? {} : { budget }),
        ...(moveDone === undefined ? {} : { moveDone: moveDone ? 1 : 0 }),
        ...(polling === undefined ? {} : { polling: polling ? 1 : 0 }),
      })
      return changed()
    },
    setPaused: ({ id, paused }) => {
      store.hotFolders.change(folderOf(parts, id).id, { paused: paused ? 1 : 0 })
      return changed()
    },
    remove: ({ id }) => {
      store.hotFolders.remove(folderOf(parts, id).id)
      return changed()
    },
  }
}

function folderOf({ store }: InterfaceParts, id: number): HotFolder {
  const folder = store.hotFolders.byId(id)
  if (!folder) throw new Fault('gone', say`This hot folder is not there any more.`)
  return folder
}

function recordOf({ parts, workplace, hotFolders }: HandlerParts, folder: HotFolder): HotFolderRecord {
  const { store, clock } = parts
  const { id, name, path, preset, outDir, budget, moveDone, polling, paused, connectionId } = folder
  const today = startOfDay(clock.now())
  const pictures = store.hotFolders.pictures(id)
  const isOurs = workplace.bench?.session.storeId === connectionId
  return {
    id,
    name,
    path,
    preset,
    outDir,
    budget,
    moveDone: moveDone === 1,
    polling: polling === 1,
    state: paused === 1 ? 'paused' : isOurs ? 'watching' : 'elsewhere',
    trouble: hotFolders.trouble(id) ?? null,
    imagesToday: store.hotFolders.imagesSince(id, today),
    chargedToday: store.hotFolders.chargedSince(id, today),
    pictures: pictures === 0 ? null : picturesSentence(folder, pictures, isSetUp(parts.preferences)),
  }
}
