import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { readAnswer } from './http-body.ts'
import { asFault, fault } from './transport-fault.ts'
import type { HttpAnswer, HttpPost, SubmitConnection } from './transport.ts'

/** A socket that was opened for one POST and that nothing was sent on (docs/reliability.md, promise 1). */
export class NodeSubmitConnection implements SubmitConnection {
  readonly #socket: Socket
  readonly #url: URL
  #used = false
  readonly #fail = () => this.#socket.destroy()

  constructor(socket: Socket, url: URL) {
    this.#socket = socket
    this.#url = url
    // While it waits an error only makes it unusable; without a listener it would end the process.
    socket.on('error', this.#fail)
  }

  get usable(): boolean {
    const { destroyed, writable, readableEnded, bytesRead, readableLength } = this.#socket
    // A peer that speaks before it was asked is no HTTP server. (bytesRead of a TLS socket counts the handshake.)
    const spoke = readableLength > 0 || (!('encrypted' in this.#socket) && bytesRead > 0)
    return !this.#used && !destroyed && writable && !readableEnded && !spoke
  }

  async post(call: HttpPost): Promise<HttpAnswer> {
    if (!this.usable) {
      this.close()
      throw fault('reset', this.#url.host, false)
    }
    this.#used = true
    try {
      call.sending()
    } catch (error) {
      this.#socket.destroy()
      throw error
    }
    try {
      return await this.#exchange(call)
    } catch (error) {
      throw asFault(error, this.#url.host, true)
    } finally {
      this.#socket.destroy()
    }
  }

  close() {
    this.#socket.destroy()
  }

  #exchange(call: HttpPost): Promise<HttpAnswer> {
    const { host, pathname, search } = this.#url
    return new Promise((resolve, reject) => {
      let answering = false
      const late = setTimeout(() => {
        reject(fault('timeout', host, true))
        this.#socket.destroy()
      }, call.timeoutMs)
      const settle = (finish: () => void) => {
        clearTimeout(late)
        finish()
      }
      // No agent: the socket is this request's alone, and "Connection: close" says so.
      const outgoing: ClientRequest = request({
        method: 'POST',
        path: pathname + search,
        setDefaultHeaders: false,
        createConnection: () => this.#socket,
        headers: {
          ...call.headers,
          host,
          'content-length': String(Buffer.byteLength(call.body)),
          connection: 'close',
        },
      })
      outgoing.on('error', (error) => settle(() => reject(error)))
      outgoing.on('response', (message) => {
        answering = true
        readAnswer(message, host).then(
          (answer) => settle(() => resolve(answer)),
          (error: unknown) => settle(() => reject(error)),
        )
      })
      outgoing.on('close', () => {
        if (!answering) settle(() => reject(fault('reset', host, true)))
      })
      // One call with the whole body: Node joins head and body into one write.
      outgoing.end(call.body)
    })
  }
}
