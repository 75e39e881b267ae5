import type { PlantedBug } from './planted-bug.ts'

const delivery = 'engine/delivery/delivery.test.ts'
const names = 'engine/delivery/names.test.ts'

/** Files that are not ours, or that a person has already. */
export const fileBugs: readonly PlantedBug[] = [
  {
    name: 'a file is placed by a rename, which replaces what is there',
    promise: 3,
    slips: [
      {
        file: 'engine/delivery/place.ts',
        found: `await files.link(part, path)`,
        planted: `await files.rename(part, path)`,
      },
    ],
    test: { file: delivery },
  },
  {
    name: 'a part is opened over a file that is there',
    promise: 3,
    slips: [
      {
        file: 'engine/delivery/node-files.ts',
        found: `open(path, 'wx')`,
        planted: `open(path, 'w')`,
      },
    ],
    test: { file: delivery },
  },
  {
    name: 'parts of other programs are cleared away',
    promise: 3,
    slips: [
      {
        file: 'engine/delivery/create-delivery.ts',
        found: `isOwnPart(name, mark) && !kept.has(name)`,
        planted: `isPartName(name) && !kept.has(name)`,
      },
    ],
    test: { file: delivery },
  },
  {
    name: 'parts that this process still writes are cleared away',
    promise: 3,
    slips: [
      {
        file: 'engine/delivery/create-delivery.ts',
        found: `new Set([...known, ...active, ...liveManifestParts]`,
        planted: `new Set([...known, ...liveManifestParts]`,
      },
    ],
    test: { file: delivery },
  },
  {
    name: 'separators in names are left as they are',
    promise: 3,
    slips: [
      {
        file: 'engine/delivery/safe-name.ts',
        found: `    .replace(separators, '_')\n    .normalize('NFC')\n    .replace(separators, '_')`,
        planted: `    .normalize('NFC')`,
      },
    ],
    test: { file: names, named: 'whatever is put in' },
  },
  {
    name: 'folders of dots in a list lead out of the output folder',
    promise: 3,
    slips: [
      {
        file: 'engine/delivery/names.ts',
        found: `return folders.filter((folder) => !/^[.\\s]*$/.test(folder)).map((folder) => safeName(folder))`,
        planted: `return folders`,
      },
      // A path is looked at again where it is used.
      {
        file: 'engine/delivery/output-folder.ts',
        found: `return bad ? undefined : parts`,
        planted: `return bad && parts.length < 1 ? undefined : parts`,
      },
    ],
    test: { file: delivery, named: 'nothing is written outside' },
  },
  {
    name: 'a link that leads out of the output folder is followed',
    promise: 3,
    slips: [
      {
        file: 'engine/delivery/output-folder.ts',
        found: `if (at !== root && !at.startsWith(root.endsWith(sep) ? root : root + sep)) throw outside(folder)`,
        planted: `if (at === '') throw outside(folder)`,
      },
    ],
    test: { file: delivery },
  },
  {
    name: 'an image replaces the file of another image of its batch',
    promise: 3,
    slips: [
      {
        file: 'engine/delivery/deliverer.ts',
        found: `return owner !== undefined && owner.imageId !== image.id && owner.batchSeq === batch.seq`,
        planted: `return owner !== undefined && owner.imageId !== image.id && owner.batchSeq !== batch.seq`,
      },
    ],
    test: { file: 'cli/run.test.ts', named: '--on-conflict overwrite' },
  },
  {
    name: 'a formula in a cell of a table is not escaped',
    promise: 3,
    slips: [
      {
        file: 'engine/reports/csv.ts',
        found: `{ newline: '\\r\\n', escapeFormulae: formula }`,
        planted: `{ newline: '\\r\\n' }`,
      },
    ],
    test: { file: 'engine/reports/reports.test.ts' },
  },
]
