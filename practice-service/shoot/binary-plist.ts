/**
 * A binary property list of one dictionary with one entry, which is all a `.webloc` file holds. Layout: magic, the
 * objects, a table of their offsets, and a trailer that says where everything is.
 */
export function binaryPlist(key: string, value: string): Buffer {
  const objects = [Buffer.from([0xd1, 1, 2]), plistString(key), plistString(value)]
  const offsets = [8, 8 + objects[0]!.length, 8 + objects[0]!.length + objects[1]!.length]
  const body = Buffer.concat([Buffer.from('bplist00', 'latin1'), ...objects])
  const table = Buffer.alloc(objects.length * 2)
  offsets.forEach((offset, index) => table.writeUInt16BE(offset, index * 2))
  const trailer = Buffer.alloc(32)
  trailer[6] = 2 // bytes an offset
  trailer[7] = 1 // bytes a reference
  trailer.writeBigUInt64BE(BigInt(objects.length), 8)
  trailer.writeBigUInt64BE(0n, 16) // the top object
  trailer.writeBigUInt64BE(BigInt(body.length), 24)
  return Buffer.concat([body, table, trailer])
}

/** An ASCII string object; lengths from 15 on are written as an integer object of two bytes. */
function plistString(text: string): Buffer {
  const bytes = Buffer.from(text, 'ascii')
  const head =
    bytes.length < 15
      ? Buffer.from([0x50 | bytes.length])
      : Buffer.from([0x5f, 0x11, bytes.length >> 8, bytes.length & 0xff])
  return Buffer.concat([head, bytes])
}
