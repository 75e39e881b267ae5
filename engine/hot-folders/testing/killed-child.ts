import { systemClock } from '../../clock.ts'
import { openPreferenceFile } from '../../preferences/preference-file.ts'
import { createDownloads } from '../../service/undici-downloads.ts'
import { HotFolderTable } from '../../store/hot-folders.ts'
import { Store } from '../../store/store.ts'
import { listHotFolder } from '../listing.ts'
import { takeIn } from '../take-in.ts'

/** Takes a hot folder in, and is killed between adding the batch and noting the file where `kill` is said. */
const [home = '', when] = process.argv.slice(2)
if (when === 'kill') HotFolderTable.prototype.note = () => void process.kill(process.pid, 'SIGKILL')
const store = new Store(`${home}/queue.db`)
const folder = store.hotFolders.all()[0]!
const parts = {
  store,
  preferences: openPreferenceFile(home),
  clock: systemClock,
  openDownloads: () => createDownloads({ baseUrl: home }),
}
await takeIn(parts, folder, await listHotFolder(folder.path, folder.outDir), folder.outDir)
store.close()
