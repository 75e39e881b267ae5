import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** One address for services that come after each other: connections go to the one that is there at present. */
export class Front {
  /** Port of the service behind it, on this machine. */
  target = 0
  readonly #server: Server
  readonly #open = new Set<Socket>()

  constructor() {
    this.#server = createServer((socket) => {
      const behind = connect(this.target, '127.0.0.1')
      for (const [one, other] of [
        [socket, behind],
        [behind, socket],
      ] as const) {
        this.#open.add(one)
        one.on('error', () => other.resetAndDestroy())
        one.on('close', () => {
          this.#open.delete(one)
          other.destroySoon()
        })
        one.pipe(other)
      }
    })
  }

  /** @returns its origin */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close() {
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
  }
}
