import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { handOver, askedBy, type ShellCommand } from './hand-over.ts'
import { Outbox } from './outbox.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-hand-over-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

function scene() {
  const told: string[] = []
  const pushed: ShellCommand[] = []
  const drops: (readonly string[])[] = []
  const parts = {
    addPaths: (paths: readonly string[]) => `drop-${drops.push(paths)}`,
    push: (command: ShellCommand) => void pushed.push(command),
    tell: (sentence: string) => void told.push(sentence),
  }
  return { parts, told, pushed, drops }
}

test('of the arguments of a start those are paths that are there; switches are not', () => {
  writeFileSync(join(folder, 'list.txt'), '')
  writeFileSync(join(folder, '--no-sandbox'), '')
  const args = [
    '--no-sandbox',
    '-psn_0_1',
    'list.txt',
    folder,
    'gone.txt',
    '',
    'a\0b',
    'https://a.example/b.jpg',
  ]
  expect(askedBy(args, folder)).toEqual({ paths: [join(folder, 'list.txt'), folder] })
})

test('a file manager names the preset, and after two dashes all are paths', () => {
  for (const name of ['-n.jpg', '--with-preset=b', `50% it's.jpg`]) writeFileSync(join(folder, name), '')
  const args = ['--with-preset=Soft%20grey', '--', '-n.jpg', '--with-preset=b', `50% it's.jpg`, '--', 'gone']
  expect(askedBy(args, folder)).toEqual({
    paths: ['-n.jpg', '--with-preset=b', `50% it's.jpg`].map((name) => join(folder, name)),
    preset: 'Soft grey',
  })
  expect(askedBy(['--', '--with-preset=b'], folder)).toEqual({ paths: [join(folder, '--with-preset=b')] })
})

test('preset files are read, all else is one drop', async () => {
  const { parts, told, pushed, drops } = scene()
  const preset = join(folder, 'Grey.VitrinePreset')
  writeFileSync(preset, '{"version":1}')
  await handOver({ paths: [folder, preset, join(folder, 'list.txt')], preset: 'Soft grey' }, parts)
  expect(pushed).toEqual([
    { kind: 'preset', text: '{"version":1}', shown: 'Grey.VitrinePreset' },
    { kind: 'drop', drop: 'drop-1', preset: 'Soft grey' },
  ])
  expect(drops).toEqual([[folder, join(folder, 'list.txt')]])
  expect(told).toEqual([])
})

test('a preset file that is gone, a folder or too large is told in a sentence', async () => {
  const { parts, told, pushed } = scene()
  const large = join(folder, 'large.vitrinepreset')
  writeFileSync(large, '')
  truncateSync(large, 1024 * 1024 + 1)
  await handOver({ paths: [join(folder, 'gone.vitrinepreset'), large] }, parts)
  expect(pushed).toEqual([])
  expect(told).toHaveLength(2)
  expect(told[1]).toBe(
    'The preset file large.vitrinepreset cannot be read. Check that it is there and smaller than 1 MB.',
  )
})

describe('the outbox', () => {
  const take = async <T>(items: AsyncGenerator<T>, n: number) => {
    const taken: T[] = []
    while (taken.length < n) taken.push((await items.next()).value as T)
    return taken
  }

  test('keeps what comes before anybody listens, in order, and what comes later', async () => {
    const box = new Outbox<number>()
    box.push(1)
    box.push(2)
    const items = box.follow(new AbortController().signal)
    expect(await take(items, 2)).toEqual([1, 2])
    const next = items.next()
    box.push(3)
    expect(await next).toEqual({ value: 3, done: false })
  })

  test('a listener that has left takes nothing from the next one', async () => {
    const box = new Outbox<number>()
    const first = new AbortController()
    const left = box.follow(first.signal).next()
    const second = box.follow(new AbortController().signal).next()
    first.abort()
    expect(await left).toEqual({ value: undefined, done: true })
    box.push(7)
    expect(await second).toEqual({ value: 7, done: false })
  })

  test('does not grow without end', async () => {
    const box = new Outbox<number>()
    for (let n = 0; n < 1000; n += 1) box.push(n)
    expect(await take(box.follow(new AbortController().signal), 1)).toEqual([800])
  })
})
