import { join } from 'node:path'
import sharp from 'sharp'
import { root } from './tool.ts'

/** `npm run icon`: build/icon.png, from which the packager makes the icons of each system, from build/icon.svg. */
const size = 1024
const { size: bytes } = await sharp(join(root, 'build', 'icon.svg'))
  .resize(size, size)
  .png({ compressionLevel: 9 })
  .toFile(join(root, 'build', 'icon.png'))
process.stdout.write(`build/icon.png has ${bytes} bytes.\n`)
