import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Service } from '../service/service.ts'
import { refusal } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'
import { deliver } from './delivery.ts'
import type { Exchange } from './delivery.ts'
import { deliverFaulty, deliverInstead, standsInstead } from './fault-answers.ts'
import { RateLimiter } from './rate-limiter.ts'
import { routeOf } from './routes.ts'
import type { Doors, Route } from './routes.ts'

const maximumBodyBytes = 1_000_000

/** A listening server; `doors` says which of the service's addresses it answers. */
export class Door {
  readonly #service: Service
  readonly #doors: Doors
  readonly #server: Server
  readonly #limiter: RateLimiter

  constructor(service: Service, doors: Doors) {
    this.#service = service
    this.#doors = doors
    this.#limiter = new RateLimiter()
    this.#server = createServer({ keepAliveTimeout: service.setup.keepAliveMs }, (request, response) => {
      void this.#serve(request, response)
    })
  }

  /** Starts listening and returns the origin. Rejects with a sentence when the address cannot be had. */
  async listen(port: number): Promise<string> {
    const { host } = this.#service.setup
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        const why = error.code === 'EADDRINUSE' ? 'another program uses that port' : error.message
        reject(
          new Error(`The practice service cannot listen on ${host}, port ${port}: ${why}.`, { cause: error }),
        )
      })
      this.#server.listen(port, host, resolve)
    })
    const address = this.#server.address() as AddressInfo
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
  }

  /** Closes every connection at once. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that breaks off is no news here; without a listener it would end the process.
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    try {
      await this.#exchange(request, response)
    } catch (error) {
      const message = error instanceof Error ? error.message.split('\n')[0] : String(error)
      if (!response.headersSent) {
        deliver(this.#exchangeOf(request, response), refusal(500, `The practice service failed: ${message}`))
      }
    }
  }

  async #exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const service = this.#service
    const target = request.url ?? '/'
    const mark = target.indexOf('?')
    const path = mark === -1 ? target : target.slice(0, mark)
    const route = routeOf(path, this.#doors)
    const number = service.ledger.request(route.kind, service.setup.clock.now())
    const body = await readBody(request)
    // Cut off by the client: a request that never was.
    if (body === undefined) return
    const exchange = this.#exchangeOf(request, response)
    if (body.tooLarge) return this.#answer(exchange, route, refusal(400, 'The request body is too large.'))
    const method = request.method ?? 'GET'
    const { text } = body
    const call: Call = {
      method,
      path,
      query: new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1)),
      headers: request.headers,
      body: text,
    }
    await this.#pause(route)
    const { rateLimit } = service.conduct
    if (isLimited(route) && this.#limiter.refuses(rateLimit, service.setup.clock.now())) {
      return this.#answer(exchange, route, refusal(429, 'Too many requests.', { 'retry-after': '1' }))
    }
    const fault = service.faults.pick({ kind: route.kind, method, path: target, body: text, number })
    if (fault) service.ledger.fault(fault.kind)
    if (fault && standsInstead(fault)) {
      const { handleAfterMs } = fault
      if (handleAfterMs !== undefined) void this.#handleLate(route, call, handleAfterMs)
      else if (fault.handled === true) await this.#handle(route, call)
      service.ledger.answer(route.kind, deliverInstead(exchange, fault))
      return
    }
    if (fault?.kind === 'slow' && fault.phase === 'before') await this.#sleep(fault.ms)
    const answer = await this.#handle(route, call)
    if (fault?.kind === 'slow' && fault.phase === 'after') await this.#sleep(fault.ms)
    if (fault) service.ledger.answer(route.kind, await deliverFaulty(exchange, answer, fault))
    else this.#answer(exchange, route, answer)
  }

  async #handle(route: Route, call: Call): Promise<Answer> {
    if (route.methods.length > 0 && !route.methods.includes(call.method)) {
      return refusal(405, `${call.method} is not possible here.`, { allow: route.methods.join(', ') })
    }
    if (route.kind === 'submit' && this.#service.conduct.acceptDelayMs > 0) {
      await this.#sleep(this.#service.conduct.acceptDelayMs)
    }
    return route.answer(this.#service, call)
  }

  async #handleLate(route: Route, call: Call, afterMs: number): Promise<void> {
    await this.#sleep(afterMs)
    if (!this.#service.closing.signal.aborted) await this.#handle(route, call)
  }

  async #pause(route: Route): Promise<void> {
    const isService = route.kind !== 'other' && route.kind !== 'shoot'
    if (isService && this.#service.conduct.latencyMs > 0) {
      await this.#sleep(this.#service.conduct.latencyMs)
    }
  }

  #sleep(ms: number): Promise<void> {
    return this.#service.setup.clock.sleep(ms, this.#service.closing.signal)
  }

  #answer(exchange: Exchange, route: Route, answer: Answer): void {
    this.#service.ledger.answer(route.kind, answer.status)
    deliver(exchange, answer)
  }

  #exchangeOf(request: IncomingMessage, response: ServerResponse): Exchange {
    return {
      request,
      response,
      date: new Date(this.#service.now()).toUTCString(),
      clock: this.#service.setup.clock,
      signal: this.#service.closing.signal,
    }
  }
}

/** Files are a storage's matter, and the sample shoot is none of the service's: neither has a rate limit. */
function isLimited(route: Route): boolean {
  return route.kind !== 'other' && route.kind !== 'shoot' && route.kind !== 'file'
}

interface Body {
  readonly text: string
  readonly tooLarge: boolean
}

/** The whole body; undefined when the client broke off before its end. */
function readBody(request: IncomingMessage): Promise<Body | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') {
    request.resume()
    return Promise.resolve({ text: '', tooLarge: false })
  }
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let size = 0
    request.on('data', (piece: Buffer) => {
      size += piece.length
      if (size <= maximumBodyBytes) pieces.push(piece)
    })
    request.on('end', () =>
      resolve({ text: Buffer.concat(pieces).toString(), tooLarge: size > maximumBodyBytes }),
    )
    request.on('close', () => resolve(undefined))
  })
}
