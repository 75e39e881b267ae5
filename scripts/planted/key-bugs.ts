import type { PlantedBug } from './planted-bug.ts'

const matrix = 'e2e/proof/fault-matrix.test.ts'
const server = 'cli/web/server.test.ts'

/** The key, and who may ask for anything. */
export const keyBugs: readonly PlantedBug[] = [
  {
    name: 'downloads carry the key',
    promise: 4,
    slips: [
      {
        file: 'cli/compose.ts',
        found: `
  shell: Shell,
  baseUrl: string,
): Delivery`,
        planted: `
  shell: Shell,
  baseUrl: string,
  key?: string,
): Delivery`,
      },
      {
        file: 'cli/compose.ts',
        found: `createDownloads({ baseUrl })`,
        planted: `createDownloads({ baseUrl, ...(key === undefined ? {} : { key }) })`,
      },
      {
        file: 'cli/compose.ts',
        found: `composeDelivery(shell, account.base.href)`,
        planted: `composeDelivery(shell, account.base.href, account.keyText)`,
      },
      {
        file: 'engine/service/undici-downloads.ts',
        found: `  readonly resolve?: Resolve\n`,
        planted: `  readonly resolve?: Resolve\n  readonly key?: string\n`,
      },
      {
        file: 'engine/service/undici-downloads.ts',
        found: `await ask(agent, link, options)`,
        planted: `await ask(agent, link, { ...options, key: parts.key })`,
      },
      {
        file: 'engine/service/undici-downloads.ts',
        found: `async function ask(agent: Agent, link: URL, options: DownloadOptions): Promise<Dispatcher.ResponseData> {
  const { signal, resume } = options`,
        planted: `async function ask(
  agent: Agent,
  link: URL,
  options: DownloadOptions & { key?: string | undefined },
): Promise<Dispatcher.ResponseData> {
  const { signal, resume, key } = options`,
      },
      {
        file: 'engine/service/undici-downloads.ts',
        found: `headers: { 'user-agent': 'Vitrine',`,
        planted: `headers: { ...(key === undefined ? {} : { authorization: \`Bearer \${key}\` }), 'user-agent': 'Vitrine',`,
      },
    ],
    test: { file: matrix, named: 'on every second file' },
  },
  {
    name: 'questions follow redirects to another host, with the key',
    promise: 4,
    slips: [
      {
        file: 'engine/service/node-transport.ts',
        found: `
    outgoing.on('response', (message: IncomingMessage) => {
`,
        planted: `
    outgoing.on('response', (message: IncomingMessage) => {
      const { location } = message.headers
      if (location !== undefined) {
        message.resume()
        exchange({ ...call, url: new URL(location, url).href }, bounds, false).then(
          (answer) => settle(() => resolve(answer)),
          (error: unknown) => settle(() => reject(error as Error)),
        )
        return
      }
`,
      },
    ],
    test: { file: matrix, named: 'on every second run' },
  },
  {
    name: 'the key is not taken out of the words of the service',
    promise: 4,
    slips: [
      {
        file: 'engine/service/api-key.ts',
        found: `return text.replaceAll(this.#secret, '[key]')`,
        planted: `return text`,
      },
    ],
    test: { file: 'e2e/proof/canary.test.ts', named: 'the command line under faults' },
  },
  {
    name: 'the error text of a run keeps the key that it repeats',
    promise: 4,
    slips: [
      {
        file: 'engine/service/service-client.ts',
        found: `error: error && key ? key.redact(error) : error }`,
        planted: `error }`,
      },
    ],
    test: { file: 'e2e/proof/canary.test.ts', named: 'the command line under faults' },
  },
  {
    name: 'the key shows itself where it is printed',
    promise: 4,
    slips: [
      {
        file: 'engine/service/api-key.ts',
        found: `  [inspect.custom](): string {\n    return '[key]'`,
        planted: `  [inspect.custom](): string {\n    return this.#secret`,
      },
    ],
    test: { file: 'engine/service/addresses.test.ts' },
  },
  {
    name: 'the key itself stands in the file of the queue',
    promise: 4,
    slips: [
      {
        file: 'engine/store/connections.ts',
        found: `.all(baseUrl, salt, fingerprint(salt, key))`,
        planted: `.all(baseUrl, key, fingerprint(key, key))`,
      },
    ],
    test: { file: 'engine/store/store.test.ts', named: 'the key is nowhere in the file' },
  },
  {
    name: 'the link guard lets links lead to local addresses',
    promise: 4,
    slips: [
      {
        file: 'engine/service/link-guard.ts',
        found: `if (place === 'forbidden' || nearness[place] > nearness[home]) return false`,
        planted: `if (place === 'forbidden') return false`,
      },
    ],
    test: { file: 'engine/service/undici-downloads.test.ts' },
  },
  {
    name: 'links are judged by their text alone, not by where they lead',
    promise: 4,
    slips: [
      {
        file: 'engine/service/undici-downloads.ts',
        found: `const allowed = found.filter((entry) => guard.mayConnect(protocol, entry.address))`,
        planted: `const allowed = [...found]`,
      },
      // What was connected to is looked at once more.
      {
        file: 'engine/service/undici-downloads.ts',
        found: `} else if (guard.mayConnect(options.protocol, socket.remoteAddress ?? '')) {`,
        planted: `} else if (socket.writable) {`,
      },
    ],
    test: { file: 'engine/service/undici-downloads.test.ts' },
  },
  {
    name: 'the token of the address is not compared',
    promise: 4,
    slips: [
      {
        file: 'cli/web/sessions.ts',
        found: `return sameSecret(value, this.#token)`,
        planted: `return value.length === this.#token.length`,
      },
    ],
    test: { file: server },
  },
  {
    name: 'any cookie of the right length is a session',
    promise: 4,
    slips: [
      {
        file: 'cli/web/gate.ts',
        found: `return left.length === right.length && timingSafeEqual(left, right)`,
        planted: `return left.length === right.length`,
      },
    ],
    test: { file: server },
  },
  {
    name: 'the secret of a notice is not looked up',
    promise: 4,
    slips: [
      {
        file: 'engine/webhook/receiver.ts',
        found: `const known = host.knows(hashInPath(request.url ?? '')) && request.method === 'POST'`,
        planted: `const known = request.method === 'POST'`,
      },
    ],
    test: { file: 'engine/webhook/receiver.test.ts' },
  },
  {
    name: 'the report of a fault keeps keys and signatures',
    promise: 4,
    slips: [
      {
        file: 'engine/fault-report.ts',
        found: `appendFileSync(path, withoutSecrets(entry, secrets)`,
        planted: `appendFileSync(path, secrets ? entry : withoutSecrets(entry, secrets)`,
      },
    ],
    test: { file: 'cli/trouble.test.ts', named: 'a report without secrets' },
  },
  {
    name: 'the redirect of a download is not looked at',
    promise: 4,
    slips: [
      {
        file: 'engine/service/undici-downloads.ts',
        found: `const refusal = guard.refusal(link)`,
        planted: `const refusal = hops > 0 ? undefined : guard.refusal(link)`,
      },
    ],
    test: { file: 'engine/service/undici-downloads.test.ts' },
  },
  {
    name: 'the token of the address is good for ever',
    promise: 4,
    slips: [
      {
        file: 'cli/web/sessions.ts',
        found: `    this.#token = secret()\n    const session`,
        planted: `    const session`,
      },
    ],
    test: { file: 'cli/web/server.test.ts' },
  },
  {
    name: 'the loopback server listens on every address',
    promise: 4,
    slips: [
      {
        file: 'cli/web/server.ts',
        found: `server.listen(parts.port, '127.0.0.1', resolve)`,
        planted: `server.listen(parts.port, resolve)`,
      },
    ],
    test: { file: 'cli/web/server.test.ts' },
  },
  {
    name: 'the receiver of notices listens on every address',
    promise: 4,
    slips: [
      {
        file: 'engine/webhook/receiver.ts',
        found: `server.listen({ host: '127.0.0.1', port, exclusive: true }`,
        planted: `server.listen({ port, exclusive: true }`,
      },
    ],
    test: { file: 'engine/webhook/receiver.test.ts' },
  },
  {
    name: 'the desktop program opens addresses that are not https',
    promise: 4,
    slips: [
      {
        file: 'electron/open-external.ts',
        found: `if (url?.protocol !== 'https:' || url.hostname`,
        planted: `if (!url || url.hostname`,
      },
    ],
    test: { file: 'electron/desktop.test.ts' },
  },
]
