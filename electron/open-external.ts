import type { Shell } from 'electron'
import { Fault } from '../shared/rpc/fault.ts'
import { t } from '../shared/language/text.ts'

/** Opens an address in the person's browser. @throws Fault where it is none that may be opened */
export type OpenAddress = (address: string) => Promise<void>

/**
 * The only place from which anything is given to the system to open. Addresses come out of lists and from the service:
 * anything but https could start another program.
 */
export function addressOpener(shell: Pick<Shell, 'openExternal'>): OpenAddress {
  return async (address) => {
    const url = URL.parse(address)
    if (url?.protocol !== 'https:' || url.hostname === '' || url.username !== '' || url.password !== '') {
      throw new Fault('refused', t`Vitrine opens https addresses only; copy this one to open it yourself.`)
    }
    try {
      await shell.openExternal(url.href)
    } catch {
      throw new Fault('refused', t`The system could not open the address; copy it to open it yourself.`)
    }
  }
}
