import { buildDesktop } from './desktop-build.ts'

// `npm run build-desktop`
const trouble = await buildDesktop()
process.stdout.write(trouble === undefined ? 'The desktop program is in dist/electron.\n' : `${trouble}\n`)
process.exitCode = trouble === undefined ? 0 : 1
