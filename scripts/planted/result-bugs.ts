import type { PlantedBug } from './planted-bug.ts'

const delivery = 'engine/delivery/delivery.test.ts'
const powerCut = 'engine/delivery/power-cut.test.ts'

/** From the link to a whole file under its name. */
export const resultBugs: readonly PlantedBug[] = [
  {
    name: 'the run id is not kept where its commit fails',
    promise: 2,
    slips: [
      {
        file: 'engine/queue/lane.ts',
        found: `      safety.rescue(attempt.id, runId)\n`,
        planted: '',
      },
    ],
    test: { file: 'e2e/proof/disks.test.ts', named: 'no run id is lost' },
  },
  {
    name: 'a file is placed before it is flushed',
    promise: 2,
    slips: [{ file: 'engine/delivery/make-part.ts', found: `      await file.sync()\n`, planted: '' }],
    test: { file: powerCut },
  },
  {
    name: 'a folder is not flushed after a file was placed in it',
    promise: 2,
    slips: [
      {
        file: 'engine/delivery/place.ts',
        found: `    await files.syncFolder(dirname(path))\n    return 'placed'\n  } catch (error) {`,
        planted: `    return 'placed'\n  } catch (error) {`,
      },
    ],
    test: { file: powerCut },
  },
  {
    name: 'the name of a new folder is not flushed',
    promise: 2,
    slips: [
      {
        file: 'engine/delivery/output-folder.ts',
        found: `        await files.syncFolder(dirname(at))\n`,
        planted: '',
      },
    ],
    test: { file: 'e2e/proof/power-loss.test.ts' },
  },
  {
    name: 'an image counts as delivered before its files are there',
    promise: 2,
    slips: [
      {
        file: 'engine/queue/collector.ts',
        found: `    const result = await deliverer.deliver(batch, entry.image, entry.outputs, signal)\n`,
        planted: `
    store.images.move(entry.image.id, 'downloading', 'delivered', { error: null })
    const result = await deliverer.deliver(batch, entry.image, entry.outputs, signal)
`,
      },
      {
        file: 'engine/queue/collector.ts',
        found: `
        store.images.move(entry.image.id, 'downloading', 'delivered', { error: null })
        this.#changed`,
        planted: `
        this.#changed`,
      },
    ],
    test: { file: 'cli/crash-walk.test.ts', named: 'with metadata too' },
  },
  {
    name: 'a link that has expired is not renewed',
    promise: 2,
    slips: [
      {
        file: 'engine/queue/collector.ts',
        found: `
        entry.outputs = undefined
        this.#later(entry, say\`The link to the result was refused.\`, 200)`,
        planted: `
        this.#later(entry, say\`The link to the result was refused.\`, 200)`,
      },
    ],
    test: { file: 'cli/trouble.test.ts', named: 'a link that died' },
  },
  {
    name: 'a download is resumed by a weak ETag',
    promise: 2,
    slips: [
      {
        file: 'engine/delivery/fetch-part.ts',
        found: `return etag !== undefined && /^"[^"]*"$/.test(etag) ? etag : undefined`,
        planted: `return etag`,
      },
    ],
    test: { file: delivery },
  },
  {
    name: 'a resumed download has no If-Range',
    promise: 2,
    slips: [
      {
        file: 'engine/service/undici-downloads.ts',
        found: "{ range: `bytes=${resume.from}-`, 'if-range': resume.etag }",
        planted: '{ range: `bytes=${resume.from}-` }',
      },
    ],
    test: { file: 'engine/service/undici-downloads.test.ts' },
  },
  {
    name: 'the rest of another file is joined to the first half',
    promise: 2,
    slips: [
      {
        file: 'engine/delivery/fetch-part.ts',
        found: `if (Number(start) === from && sameFile && sameTotal) return true`,
        planted: `if (Number(start) === from && sameTotal) return true`,
      },
    ],
    test: { file: delivery },
  },
  {
    name: 'the length of a download is not compared',
    promise: 2,
    slips: [
      {
        file: 'engine/delivery/fetch-part.ts',
        found: `if (this.#total !== undefined && this.#bytes !== this.#total) {`,
        planted: `if (this.#total !== undefined && this.#bytes > this.#total) {`,
      },
    ],
    test: { file: delivery },
  },
  {
    name: 'the downloaded picture is not decoded',
    promise: 2,
    slips: [
      {
        file: 'engine/delivery/verify.ts',
        found: `return { extension, ...(await decode(path)) }`,
        planted: `return { extension }`,
      },
    ],
    test: { file: delivery, named: 'is not delivered' },
  },
  {
    name: 'the record of another run is taken for the one that was asked for',
    promise: 2,
    slips: [
      {
        file: 'engine/service/service-client.ts',
        found: `if (run.value.runId === runId) {`,
        planted: `if (run.value.runId !== '') {`,
      },
    ],
    test: { file: 'engine/service/service-client.test.ts' },
  },
  {
    name: 'a file of the same length passes for the result',
    promise: 2,
    slips: [
      {
        file: 'engine/delivery/place.ts',
        found: `return hash.digest('hex') === wanted.sha256`,
        planted: `return hash.digest('hex') !== ''`,
      },
    ],
    test: { file: 'engine/delivery/delivery.test.ts' },
  },
  {
    name: 'half of a JPEG passes for a picture',
    promise: 2,
    slips: [
      {
        file: 'engine/delivery/verify.ts',
        found: `failOn: 'truncated'`,
        planted: `failOn: 'none'`,
      },
    ],
    test: { file: 'engine/delivery/verify.test.ts' },
  },
]
