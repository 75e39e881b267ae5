import type { Rival } from './plain-client.ts'

/** What none can beat: a webhook that costs nothing and is never lost, then one request for the result's address. */
export const idealWebhook: Rival = {
  name: 'ideal webhook',
  atATime: (concurrency) => 2 * concurrency,
  picture: async (client, source) => {
    const accepted = await client.submit(source)
    if (accepted.kind !== 'ok') return false
    await client.told(accepted.value)
    return (await client.finished(accepted.value)).kind === 'ok'
  },
}
