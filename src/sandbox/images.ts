/** What the sandbox sees of an image: its format and size, or where it is. Nothing is ever fetched. */

export interface SeenImage {
  /** `a PNG image of 640 × 480 pixels` */
  readonly label: string
  readonly tokens: number
}

const unknownCost = 1000
const pixelsPerToken = 750
const highestCost = 1600

/** @param address A data URI, or the address of a file on the internet. */
export function seeAddress(address: string): SeenImage {
  const [, format, data] = /^data:([^;,]*);base64,(.*)$/s.exec(address) ?? []
  if (format !== undefined && data !== undefined) return seeBytes(format, data)
  return { label: `the image at ${address} (which was not fetched)`, tokens: unknownCost }
}

export function seeBytes(format: string, data: string): SeenImage {
  const bytes = Buffer.from(data, 'base64')
  const name = `${format.replace(/^image\//, '').toUpperCase()} image`
  const size = imageSize(bytes)
  if (!size) return { label: `a ${name} of ${bytes.length} bytes, whose size can't be read`, tokens: unknownCost }
  const cost = Math.ceil((size.width * size.height) / pixelsPerToken)
  return { label: `a ${name} of ${size.width} × ${size.height} pixels`, tokens: Math.min(cost, highestCost) }
}

interface Size {
  readonly width: number
  readonly height: number
}

const readers: readonly ((bytes: Buffer) => Size | undefined)[] = [pngSize, gifSize, webpSize, jpegSize, tiffSize]

/** @returns width and height in pixels, from the header of an accepted format (section 2.1), or nothing. */
export function imageSize(bytes: Buffer): Size | undefined {
  try {
    return readers.map((read) => read(bytes)).find((size) => size !== undefined)
  } catch (error) {
    // Reading past the end: the file was cut short.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function startsWith(bytes: Buffer, text: string, offset = 0): boolean {
  return bytes.toString('latin1', offset, offset + text.length) === text
}

function pngSize(bytes: Buffer): Size | undefined {
  if (!startsWith(bytes, '\x89PNG\r\n\x1a\n')) return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function gifSize(bytes: Buffer): Size | undefined {
  if (!startsWith(bytes, 'GIF8')) return undefined
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function webpSize(bytes: Buffer): Size | undefined {
  if (!startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return undefined
  if (startsWith(bytes, 'VP8X', 12)) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (startsWith(bytes, 'VP8L', 12)) {
    // Two fields of 14 bits after the signature byte.
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}

function jpegSize(bytes: Buffer): Size | undefined {
  if (!startsWith(bytes, '\xff\xd8')) return undefined
  let offset = 2
  for (;;) {
    while (bytes.readUInt8(offset + 1) === 0xff) offset++
    const marker = bytes.readUInt8(offset + 1)
    // SOF0 to SOF15 hold the size; C4, C8 and CC are other segments in that range.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) }
    offset += 2 + bytes.readUInt16BE(offset + 2)
  }
}

function tiffSize(bytes: Buffer): Size | undefined {
  const isLittle = startsWith(bytes, 'II*\0')
  if (!isLittle && !startsWith(bytes, 'MM\0*')) return undefined
  const word = (at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const directory = long(4)
  const tags = new Map<number, number>()
  for (let entry = 0; entry < word(directory); entry++) {
    const at = directory + 2 + entry * 12
    const isShort = word(at + 2) === 3
    tags.set(word(at), isShort ? word(at + 8) : long(at + 8))
  }
  const [width, height] = [tags.get(256), tags.get(257)]
  return width === undefined || height === undefined ? undefined : { width, height }
}
