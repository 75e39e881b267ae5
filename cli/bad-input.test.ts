import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataFolderTrouble } from './data-folder-trouble.ts'
import { call, emptyFolder, stage, type TestEnd } from './testing/stage.ts'

/** A place without a service: whatever is wrong before the network must be told without it. */
async function offline(t: TestEnd) {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'list.txt'), 'https://pictures.example/a.jpg\n')
  const env = {
    VITRINE_HOME: join(folder, 'home'),
    VITRINE_BASE_URL: 'http://127.0.0.1:9/api/v1',
    VITRINE_API_KEY: 'k',
  }
  return async (args: readonly string[], more: Record<string, string | undefined> = {}) =>
    await call(args, { ...env, ...more }, folder)
}

const run = ['run', 'list.txt', '--app', 'rescue']

const wrongUses: [string, readonly string[], Record<string, string | undefined>, RegExp][] = [
  ['an unknown command', ['rum'], {}, /Unknown command 'rum' \(Did you mean run\?\)/],
  ['no command', [], {}, /No command was given/],
  ['an unknown option', [...run, '--folder', 'x'], {}, /Unknown option '--folder'/],
  ['no source', ['run', '--app', 'rescue'], {}, /Missing required argument 'SOURCE'/],
  [
    'a bad setting, before the missing address',
    [...run, '--set', 'bg_color=red'],
    { VITRINE_BASE_URL: '' },
    /bg_color must be a colour of the form #RRGGBB/,
  ],
  ['no app', ['run', 'list.txt'], {}, /--app ID.*--preset NAME/],
  [
    'an unknown preset',
    ['run', 'list.txt', '--preset', 'Catalog'],
    {},
    /There is no preset "Catalog"; there are Catalogue white/,
  ],
  [
    'a missing preset file',
    ['run', 'list.txt', '--preset', './x.vitrinepreset'],
    {},
    /x\.vitrinepreset cannot be read: there is no such file/,
  ],
  [
    'a preset file that is none',
    ['run', 'list.txt', '--preset', './list.txt'],
    {},
    /list\.txt cannot be used: it is not JSON/,
  ],
  ['a setting without =', [...run, '--set', 'bg_mode'], {}, /--set bg_mode: it must have the form KEY=VALUE/],
  [
    'a misspelt setting',
    [...run, '--set', 'debandig=true'],
    {},
    /debandig: unknown setting; did you mean debanding\?/,
  ],
  [
    'a misspelt setting of another app',
    ['run', 'list.txt', '--app', 'x', '--set', 'bg_colour=#FFFFFF'],
    {},
    /did you mean bg_color\?/,
  ],
  [
    'an unknown setting of a retoucher',
    [...run, '--set', 'sparkle=9'],
    {},
    /sparkle: unknown setting of rescue/,
  ],
  [
    'a colour not #RRGGBB',
    [...run, '--set', 'bg_mode=solid', '--set', 'bg_color=white'],
    {},
    /bg_color must be a colour of the form #RRGGBB, such as #FFFFFF, not "white"/,
  ],
  [
    'a text for a number',
    [...run, '--set', 'framing_pad_top="ten"'],
    {},
    /framing_pad_top must be a number from 0 to 100, not "ten"/,
  ],
  [
    'an infinite number',
    [...run, '--set', 'framing_pad_top=1e999'],
    {},
    /framing_pad_top must be a finite number, from 0 to 100/,
  ],
  [
    'an infinite number within a parameter',
    ['run', 'list.txt', '--app', 'x', '--set', 'curve=[1,{"to":-1e999}]'],
    {},
    /curve must be a finite number/,
  ],
  [
    'a text for a switch',
    [...run, '--set', 'debanding=yes'],
    {},
    /debanding must be true or false, not "yes"/,
  ],
  [
    'a wrong choice',
    [...run, '--set', 'bg_mode=white'],
    {},
    /bg_mode must be one of off, solid, transparent, not "white"/,
  ],
  [
    'a 4.7 key of the wrong kind whatever the app',
    ['run', 'list.txt', '--app', 'x', '--set', 'debanding=1'],
    {},
    /debanding must be true or false/,
  ],
  [
    'the image as a setting',
    [...run, '--set', 'image=x'],
    {},
    /image: it cannot be set; the pictures are the SOURCE/,
  ],
  ['the webhook as a setting', [...run, '--set', 'webhook_url=x'], {}, /use --webhook-url/],
  [
    'a webhook that is no address',
    [...run, '--webhook-url', 'nowhere'],
    {},
    /--webhook-url must be an http or https address/,
  ],
  [
    'a negative budget',
    [...run, '--budget', '-5'],
    {},
    /--budget.*'-5' is invalid. It must be a whole number from 0/,
  ],
  ['a budget that is no number', [...run, '--budget', 'ten'], {}, /'ten' is invalid/],
  ['none in flight', [...run, '--in-flight', '0'], {}, /--in-flight.*whole number from 1/],
  [
    'a template without an extension',
    [...run, '--name', '{name}'],
    {},
    /--name: The name template must end in \.\{ext\}/,
  ],
  ['a template that leads outside', [...run, '--name', '../{name}.{ext}'], {}, /--name:.*dots alone/],
  [
    'an unknown conflict policy',
    [...run, '--on-conflict', 'ask'],
    {},
    /--on-conflict.*Allowed choices are rename, skip, overwrite/,
  ],
  ['stdin twice', ['run', '-', '-', '--app', 'rescue'], {}, /stdin\) can be read once/],
  [
    'no service address',
    run,
    { VITRINE_BASE_URL: undefined },
    /No service address.*VITRINE_BASE_URL.*npm run demo/,
  ],
  [
    'an address that is none',
    run,
    { VITRINE_BASE_URL: 'service' },
    /VITRINE_BASE_URL: The service address is not a web address/,
  ],
  ['an address of another kind', run, { VITRINE_BASE_URL: 'ftp://x/api/v1' }, /must begin with https/],
  [
    'plain http that is not loopback',
    run,
    { VITRINE_BASE_URL: 'http://service.example/api/v1' },
    /in clear; use https/,
  ],
  [
    'a settle time that is none',
    run,
    { VITRINE_SETTLE_SECONDS: '3 min' },
    /VITRINE_SETTLE_SECONDS must be a number of seconds/,
  ],
  ['a missing source', ['run', 'gone.txt', '--app', 'rescue'], {}, /gone\.txt/],
  ['an unknown batch', ['status', 'zzzzz'], {}, /There is no batch "zzzzz"/],
  [
    'an image that is none',
    ['review', 'abc', '--drop'],
    {},
    /"abc" names no image: it must be BATCH\/POSITION/,
  ],
  [
    'two decisions',
    ['review', 'a/1', '--drop', '--send-again'],
    {},
    /one of --adopt RUN, --send-again and --drop/,
  ],
  ['a decision about nothing', ['review', '--drop'], {}, /Name the IMAGE/],
  ['cancel of nothing named', ['cancel'], {}, /Name the BATCH, or take --all/],
  ['retry of everything and one', ['retry', 'abc', '--all'], {}, /either a BATCH or --all/],
  ['a page of nothing', ['runs', '--page', '0'], {}, /--page.*whole number from 1/],
  ['a longer page than there is', ['runs', '--limit', '51'], {}, /--limit.*from 1 to 50/],
  ['a status that is none', ['runs', '--status', 'DONE'], {}, /Allowed choices are SUCCESS, FAILED/],
  ['a download to nowhere', ['runs', 'download', 'x'], {}, /required option '--out <DIR>' not specified/i],
  ['a port that is none', ['practice', '--port', '70000'], {}, /--port.*from 0 to 65535/],
]

test.concurrent.for(wrongUses)('%s is told in one sentence, with 64', async ([, args, env, sentence], t) => {
  const ask = await offline(t)
  const told = await ask(args, env)
  expect(told.err).toMatch(sentence)
  expect(told.status).toBe(64)
  expect(told.out).toBe('')
  expect(told.err.trim().split('\n')).toHaveLength(1)
  expect(told.err).not.toMatch(/\n\s+at |Error:/)
})

test.concurrent('with --json the last line is an error event', async (t) => {
  const ask = await offline(t)
  const told = await ask([...run, '--set', 'debanding=1', '--json'])
  expect(told.events()).toEqual([{ event: 'error', message: told.err.trim(), exit: 64 }])
  expect((await ask([...run, '--nonsense', '--json'])).events()).toHaveLength(1)
})

test.concurrent('usage and settings come before the key, and the key before everything else', async (t) => {
  const ask = await offline(t)
  const noKey = { VITRINE_API_KEY: undefined }
  expect((await ask([...run, '--set', 'debanding=1'], noKey)).status).toBe(64)
  const missing = await ask(['run', 'gone.txt', '--app', 'rescue'], noKey)
  expect(missing.status).toBe(4)
  expect(missing.err).toMatch(
    /No API key is known for http:\/\/127\.0\.0\.1:9\/api\/v1\. Set VITRINE_API_KEY/,
  )
  const broken = await ask(run, { VITRINE_API_KEY: 'two words' })
  expect(broken.status).toBe(4)
  expect(broken.err).toContain('copy it again')
  expect(broken.err).not.toContain('two words')
})

test.concurrent('lists that hold nothing are named, with what would be right', async (t) => {
  const { call, write, service } = await stage(t)
  const ask = async (source: string) =>
    await call(['run', source, '--app', 'rescue', '--out', 'out', '--yes'])
  const cases: [string, string | Uint8Array, RegExp][] = [
    ['empty.txt', '', /empty\.txt is empty; a list has one image address a line/],
    ['binary.txt', Uint8Array.from({ length: 4000 }, (_, index) => (index * 89) % 256), /binary\.txt/],
    ['words.txt', 'ring one\nring two\n', /words\.txt/],
    ['disk.txt', 'C:\\pictures\\ring.jpg\n', /disk\.txt/],
    ['local/ring.jpg', 'not looked into', /the service reads pictures from the web only/],
  ]
  for (const [name, content, sentence] of cases) {
    const told = await ask(await write(name, content))
    expect(told.err, name).toMatch(sentence)
    expect(told.status, name).toBe(64)
  }
  expect(service.books().runs).toHaveLength(0)
})

test.concurrent('bad lines are named by file and line, the first twenty to a person, and the rest goes on', async (t) => {
  const { call, write } = await stage(t)
  const bad = Array.from({ length: 30 }, (_, index) => `ftp://host/${index}.jpg`)
  const list = await write('list.txt', ['https://pictures.example/a.jpg', ...bad].join('\n'))
  const done = await call(['run', list, list, '--app', 'rescue', '--out', 'out', '--yes', '--json'])
  expect(done.status, done.err).toBe(0)
  const problems = done.events().filter((event) => event.event === 'problem')
  expect(problems).toHaveLength(60)
  expect(problems[0]).toMatchObject({ file: list, line: 2 })
  expect(done.err.split('\n').filter((line) => line.includes(', line '))).toHaveLength(20)
  expect(done.err).toContain('and 40 more lines and files')
  expect(done.err).toContain('1 address was given before and taken once.')
  expect(done.summary().delivered).toBe(1)
})

test.concurrent('an output folder that cannot be written is 73, before anything is sent', async (t) => {
  const { call, list, write, service } = await stage(t)
  await write('taken', 'a file')
  for (const out of ['taken', 'taken/below', '/proc/none']) {
    const told = await call(['run', await list(1), '--app', 'rescue', '--out', out, '--yes'])
    expect(told.status, out).toBe(73)
    expect(told.err).toContain('output folder')
  }
  const home = await call(['status'], { env: { VITRINE_HOME: '/proc/none/home' } })
  expect(home.status).toBe(73)
  expect(home.err).toContain('VITRINE_HOME')
  expect(service.books().runs).toHaveLength(0)
})

const answers: [string, number, Record<string, string>, string, RegExp][] = [
  ['a web page', 200, { 'content-type': 'text/html' }, '<!doctype html><title>Sign in</title>', /web page/],
  ['other JSON', 200, {}, '{"hello":1}', /not one of this service/],
  ['a list', 200, {}, '[1,2,3]', /not one of this service/],
  ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, '', /redirect/],
  ['nothing', 200, {}, '', /not one of this service/],
  ['404', 404, {}, '{"error":"no"}', /no such service/],
  ['a fault', 500, {}, 'oops', /fault of its own \(500\)/],
]

test.concurrent.for(answers)(
  'a base URL that answers with %s is 69',
  async ([, status, headers, body, sentence], t) => {
    const server = createServer((_, response) => {
      response.writeHead(status, headers)
      response.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const ask = await offline(t)
    const env = { VITRINE_BASE_URL: `http://127.0.0.1:${port}/api/v1` }
    for (const args of [[...run, '--out', 'out', '--yes'], ['balance']]) {
      const told = await ask(args, env)
      expect(told.err).toMatch(sentence)
      expect(told.status).toBe(69)
      expect(told.err).toContain(`127.0.0.1:${port}`)
    }
  },
)

test.concurrent('a service out of reach is 69, a rejected key 4, and the key is shown nowhere', async (t) => {
  const ask = await offline(t)
  const away = await ask([...run, '--out', 'out', '--yes'])
  expect(away.status, away.err).toBe(69)
  const { call, list } = await stage(t)
  for (const args of [
    ['run', await list(1), '--app', 'rescue', '--out', 'out', '--yes'],
    ['balance'],
    ['runs'],
  ]) {
    const told = await call(args, { env: { VITRINE_API_KEY: 'canary-7f3a' } })
    expect(told.status, told.err).toBe(4)
    expect(told.err + told.out).not.toContain('canary-7f3a')
  }
})

test.concurrent('an estimate without a terminal and without --yes is 64, and nothing is sent', async (t) => {
  const { call, list, service } = await stage(t)
  const told = await call(['run', await list(2), '--app', 'rescue', '--out', 'out'])
  expect(told.status).toBe(64)
  expect(told.err).toContain('add --yes')
  const declined = await call(['run', await list(2), '--app', 'rescue', '--out', 'out'], {
    terminal: true,
    stdin: 'n\n',
  })
  expect(declined.status).toBe(64)
  expect(declined.err).toContain('Nothing was sent')
  expect(service.books().runs).toHaveLength(0)
  const agreed = await call(['run', await list(2), '--app', 'rescue', '--out', 'out'], {
    terminal: true,
    stdin: 'y\n',
  })
  expect(agreed.status).toBe(0)
  expect(agreed.err).toContain('\r\u001b[K')
})

test.concurrent('a data folder that is a file is 73, for the queue and for the presets', async (t) => {
  const vitrine = await offline(t)
  const folder = await emptyFolder(t)
  const home = join(folder, 'file')
  await writeFile(home, '')
  for (const [args, place] of [
    [['status'], home],
    [['presets', 'save', 'A', '--app', 'rescue'], join(home, 'below')],
  ] as const) {
    const { status, err } = await vitrine(args, { VITRINE_HOME: place })
    expect(status, err).toBe(73)
    expect(err).toMatch(
      /^The data folder .*file.* cannot be written: a file stands in its way; .*VITRINE_HOME\.\n$/,
    )
  }
})

test('what stands in the way of the data folder is told by its cause', () => {
  const told = (code: string) =>
    dataFolderTrouble('/data', new Error('outer', { cause: Object.assign(new Error('inner'), { code }) }))
  expect(told('SQLITE_FULL')).toContain('its disk is full')
  expect(told('EROFS')).toContain('EROFS; allow it')
  expect(told('SQLITE_READONLY_DBMOVED')).toContain('choose another with VITRINE_HOME')
  expect(told('SQLITE_BUSY')).toBeUndefined()
  expect(dataFolderTrouble('/data', new Error('x: database or disk is full.'))).toContain('its disk is full')
  expect(told('EIO')).toContain('its disk reports an error')
  expect(dataFolderTrouble('/data', new Error('disk I/O error'))).toContain('its disk reports an error')
})

test.concurrent('a damaged queue is 70, with a report and without a stack trace', async (t) => {
  const { call, folder, list, read } = await stage(t)
  await mkdir(join(folder, 'home'))
  await writeFile(join(folder, 'home/queue.db'), 'no database '.repeat(1000))
  const told = await call(['run', await list(1), '--app', 'rescue', '--out', 'out', '--yes', '--json'])
  expect(told.status, told.err).toBe(70)
  expect(told.err).toContain('damaged')
  expect(told.err).not.toMatch(/\n\s+at /)
  expect(told.events().at(-1)).toMatchObject({ event: 'error', exit: 70 })
  expect(await read('home/errors.log')).toContain('StoreError')
})
