import type { Preferences } from '../preferences/preferences.ts'
import type { ReceiverSettings } from './receiver.ts'

/** Where a person has notices heard; undefined where address or port are missing. */
export function receiverIn({ chosen }: Preferences): ReceiverSettings | undefined {
  const { webhookUrl, webhookPort } = chosen
  return webhookUrl == null || webhookPort == null ? undefined : { address: webhookUrl, port: webhookPort }
}
