import type { UpdateRecord } from '../../../shared/contract/update-records.ts'
import type { Overrides } from './stage-engine.ts'
import { Told } from './told.ts'

/** Whoever publishes may write anything. */
const notes = 'Faster previews\nA contact sheet as PDF\n<script>alert(1)</script> "quoted" & more'

/** The desktop window's own answers: an update that waits, and a command line that is not installed yet. */
export function shellAnswers(): Overrides {
  const update = new Told<UpdateRecord>({ kind: 'available', version: '1.3.0', notes })
  let isInstalled = false
  const folder = '/home/ada/.local/bin'
  return {
    shell: {
      info: () => ({ platform: 'linux', version: '1.2.3', titleBar: 'native' }),
      updates: (_, { signal }) => update.watch(signal, (now) => now),
      update: ({ act }) => {
        if (act === 'download') update.tell({ kind: 'ready', version: '1.3.0', notes })
        return {}
      },
      commandLine: ({ act }) => {
        if (act !== 'look') isInstalled = act === 'install'
        const sentence = isInstalled
          ? `Type vitrine --help in a new terminal. If it is not found there, ${folder} is not on your PATH: add the line export PATH="$HOME/.local/bin:$PATH" to ~/.profile.`
          : 'Not installed.'
        return { path: `${folder}/vitrine`, isInstalled, sentence }
      },
    },
  }
}
