import { expect, test } from 'vitest'
import { joined } from './joined.ts'
import { Notices } from './notices.ts'
import { Topic } from './topic.ts'

test('a follower gets how things stand, then what changed, and nothing twice', async () => {
  const topic = new Topic()
  const stop = new AbortController()
  let value = 1
  const seen: number[] = []
  for await (const item of topic.follow(() => value, stop.signal)) {
    seen.push(item)
    if (item === 1) {
      // A ring without a change is no news; several changes before the next look are one.
      topic.ring()
      queueMicrotask(() => {
        value = 2
        topic.ring()
        value = 3
        topic.ring()
      })
    }
    if (item === 3) stop.abort()
  }
  expect(seen).toEqual([1, 3])
})

test('a ring that comes while nobody waits is not lost', async () => {
  const topic = new Topic()
  const { version } = topic
  topic.ring()
  await topic.after(version, new AbortController().signal)
  const stop = new AbortController()
  const waits = topic.after(topic.version, stop.signal)
  stop.abort()
  await waits
})

test('several topics are followed as one', async () => {
  const [one, two] = [new Topic(), new Topic()]
  const stop = new AbortController()
  let value = 'a'
  const seen: string[] = []
  for await (const item of joined([one, two], () => value, stop.signal)) {
    seen.push(item)
    if (item === 'a') {
      value = 'b'
      two.ring()
    } else if (item === 'b') {
      value = 'c'
      one.ring()
    } else stop.abort()
  }
  expect(seen).toEqual(['a', 'b', 'c'])
})

test('a notice reaches those who listen, once, and not those who come later', async () => {
  const notices = new Notices()
  notices.tell('Before.')
  const stop = new AbortController()
  const seen: string[] = []
  const listening = (async () => {
    for await (const { message, tone } of notices.follow(stop.signal)) {
      seen.push(`${tone} ${message}`)
      if (seen.length === 2) stop.abort()
    }
  })()
  await Promise.resolve()
  notices.tell('One.', 'warning')
  notices.tell('Two.')
  await listening
  expect(seen).toEqual(['warning One.', 'note Two.'])
})
