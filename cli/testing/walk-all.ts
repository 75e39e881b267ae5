import { walk } from './crash-walk.ts'

// The long form of crash-walk.test.ts: a batch of several pictures, killed at every place. `npm run crash-walk -- 5`
const images = Number(process.argv[2] ?? 3)
const { places, broken } = await walk(images, 2)
process.stdout.write(
  `${images} pictures, killed at ${places.length} places of ${new Set(places).size} kinds.\n`,
)
for (const { at, place, problems } of broken) {
  process.stdout.write(`${at} (after ${place}): ${problems.join('; ')}\n`)
}
process.stdout.write(`${places.length - broken.length} passed, ${broken.length} failed\n`)
process.exitCode = broken.length === 0 ? 0 : 1
