import { connect as connectPlain, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectSecure, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { asFault, fault } from './transport-fault.ts'

let systemTrusted = false

/**
 * Trusts the certificate authorities of the operating system beside the built-in ones, as companies with an inspecting
 * proxy need it. Once per process, before the first secure connection.
 */
export function trustSystemCertificates() {
  if (systemTrusted) return
  systemTrusted = true
  try {
    setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')])
  } catch {
    // A broken system store must not keep the built-in authorities from working.
  }
}

/**
 * Opens a connection and, for https, secures it; not one byte of a request is sent.
 * @throws TransportError with `sent` false
 */
export function openSocket(url: URL, timeoutMs: number, signal?: AbortSignal): Promise<Socket> {
  const secure = url.protocol === 'https:'
  if (secure) trustSystemCertificates()
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (secure ? 443 : 80))
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(fault('aborted', url.host, false))
      return
    }
    const servername = isIP(host) ? undefined : host
    const socket = secure
      ? connectSecure({ host, port, ALPNProtocols: ['http/1.1'], ...(servername ? { servername } : {}) })
      : connectPlain({ host, port })
    const timer = setTimeout(() => end(fault('timeout', url.host, false)), timeoutMs)
    const aborted = () => end(fault('aborted', url.host, false))
    const failed = (error: Error) => end(asFault(error, url.host, false))
    const closed = () => end(fault('reset', url.host, false))
    signal?.addEventListener('abort', aborted, { once: true })
    socket.once('error', failed)
    socket.once('close', closed)
    socket.once(secure ? 'secureConnect' : 'connect', () => end())
    function end(error?: Error) {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
      socket.off('error', failed)
      socket.off('close', closed)
      if (!error) {
        socket.setNoDelay(true)
        resolve(socket)
        return
      }
      // A destroyed socket may still report: nobody listens to it any more.
      socket.on('error', () => {})
      socket.destroy()
      reject(error)
    }
  })
}
