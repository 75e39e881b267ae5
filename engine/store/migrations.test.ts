import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrations } from './migrations.ts'
import { Store } from './store.ts'
import { titleOf } from './title.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-migrations-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const images = 3000

/** A queue as a program of that version left it, with everything that a batch can hold. */
function writeVersion(path: string, version: number) {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.function('title_of', { deterministic: true }, (name, source, position) =>
    titleOf(name as string | null, source as string, position as number),
  )
  for (const migration of migrations.slice(0, version)) db.exec(migration)
  db.pragma(`user_version = ${version}`)
  db.exec(`INSERT INTO connection (id, base_url, key_salt, key_hash) VALUES (1, 'http://127.0.0.1', 's', 'h');
    INSERT INTO recipe VALUES (1, 'x', 'rescue', '{}', '{}');
    INSERT INTO batch (seq, id, connection_id, created, state, out_dir, name_template, on_conflict, webhook_url)
      VALUES (1, 'b', 1, 1, 'interrupted', '/out', '{name}.{ext}', 'rename', 'https://vitrine.invalid/');
    `)
  const image =
    db.prepare(`INSERT INTO image (batch_seq, position, source, folder, recipe_id, delivery_key, state)
    VALUES (1, ?, ?, '', 1, ?, ?)`)
  db.transaction(() => {
    for (let n = 0; n < images; n += 1) {
      image.run(n, `https://pictures.example/${n}.jpg`, `k${n}`, n < 5 ? 'delivered' : 'waiting')
    }
  })()
  // From the second version on a title is written with its image.
  if (version > 1) db.exec('UPDATE image SET title = title_of(name, source, position)')
  db.exec(
    `INSERT INTO output VALUES (1, 'primary', 0, 'Result', '/out/0.jpg', '/out/0.jpg', NULL, 9, 'hash', 'placed')`,
  )
  db.close()
}

/** Tables, indexes and triggers, however they came about. */
function schemaOf(path: string): unknown[] {
  const db = new Database(path, { readonly: true })
  const shapes = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => [name, db.pragma(`table_info(${name})`)])
  const others = db
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE type <> 'table' ORDER BY name")
    .all()
  const end = [db.pragma('user_version', { simple: true }), db.pragma('integrity_check', { simple: true })]
  db.close()
  return [shapes, others, end]
}

function whatIsThere(path: string) {
  const store = new Store(path)
  const seen = {
    counts: store.batches.counts(1),
    last: store.images.page(1, images - 2, 2).map(({ source, state, title }) => [source, state, title]),
    output: store.outputs.ofImage(1),
    waiting: store.batches.pending(1),
  }
  store.ledger.prove()
  store.close()
  return seen
}

const versions = migrations.slice(1).map((_, index) => index + 1)

it.each(versions)('a queue of version %i becomes one of today, with all that it held', (version) => {
  const path = join(folder, `from-${version}.db`)
  writeVersion(path, version)
  const { counts, last, output, waiting } = whatIsThere(path)
  expect(counts).toMatchObject({ delivered: 5, waiting: images - 5 })
  expect(last).toEqual([[`https://pictures.example/${images - 1}.jpg`, 'waiting', `${images - 1}.jpg`]])
  expect(output).toMatchObject([{ path: '/out/0.jpg', sha256: 'hash', state: 'placed' }])
  expect(waiting).toEqual([{ recipeId: 1, state: 'waiting', n: images - 5 }])
  new Store(join(folder, 'new.db')).close()
  expect(schemaOf(path)).toEqual(schemaOf(join(folder, 'new.db')))
})

it('a migration that is killed leaves the old queue or the new one, never something between', async () => {
  const old = join(folder, 'old.db')
  writeVersion(old, 1)
  const store = new URL('./store.ts', import.meta.url).href
  const code = `const { Store } = await import(${JSON.stringify(store)}); process.stdout.write('now'); new Store(process.argv[1]); process.stdout.write('done')`
  const fresh = join(folder, 'fresh.db')
  copyFileSync(old, fresh)
  const wanted = whatIsThere(fresh)
  for (let n = 0; n < 10; n += 1) {
    const path = join(folder, `killed-${n}.db`)
    copyFileSync(old, path)
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    await sleep(n * 4)
    child.kill('SIGKILL')
    await once(child, 'close')
    const db = new Database(path)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect([...versions, migrations.length]).toContain(db.pragma('user_version', { simple: true }))
    db.close()
    expect(whatIsThere(path)).toEqual(wanted)
    expect(existsSync(`${path}.damaged`)).toBe(false)
  }
})
