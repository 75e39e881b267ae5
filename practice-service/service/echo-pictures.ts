import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const side = 8

/** A tiny valid PNG (8 x 8, RGB) whose colours follow from the name, so that every run has a picture of its own. */
export function echoPicture(name: string): Buffer {
  const colours = createHash('sha256').update(name).digest()
  const rows = Buffer.alloc(side * (1 + side * 3))
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side * 3; x += 1) rows[y * (1 + side * 3) + 1 + x] = colours[(y * 5 + x) % 32]!
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 8
  header[9] = 2
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** The boxes of an MP4 file without a track: enough for what checks magic bytes and whole boxes. */
export function echoVideo(name: string): Buffer {
  const content = createHash('sha256').update(name).digest()
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1')),
    box('moov', box('mvhd', Buffer.alloc(100))),
    box('mdat', content),
  ])
}

function box(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, data])
}
