import type { Rival } from './plain-client.ts'

/** The script that anyone would write from the interface document: ten at a time, each asked for every 2 seconds. */
export const tenAtATime: Rival = {
  name: 'ten at a time',
  atATime: () => 10,
  picture: async (client, source) => {
    const accepted = await client.submit(source)
    if (accepted.kind !== 'ok') return false
    for (;;) {
      await client.sleep(2000)
      const answer = await client.finished(accepted.value)
      if (answer.kind !== 'ok') return false
      if (answer.value) return true
    }
  },
}
