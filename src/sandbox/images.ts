/** Describes an image by its format and size, or by its URL. Images are never fetched. */

/**
 * @param url A data URL, or an http or https URL.
 * @returns for example `a PNG image of 640 × 480 pixels`.
 */
export function describeImageUrl(url: string): string {
  const [, format, data] = /^data:([^;,]*);base64,(.*)$/s.exec(url) ?? []
  if (format !== undefined && data !== undefined) return describeImage(format, data)
  return `the image at ${url} (not fetched)`
}

/** @param data Base64. */
export function describeImage(format: string, data: string): string {
  const bytes = Buffer.from(data, 'base64')
  const name = `a ${format.replace(/^image\//, '').toUpperCase()} image`
  const size = imageSize(bytes)
  if (!size) return `${name} of ${bytes.length} bytes and unknown size`
  return `${name} of ${size.width} × ${size.height} pixels`
}

interface Size {
  readonly width: number
  readonly height: number
}

/** @returns width and height in pixels, from the header of a PNG, GIF or JPEG file; `undefined` for other formats. */
export function imageSize(bytes: Buffer): Size | undefined {
  const magic = bytes.toString('latin1', 0, 8)
  try {
    if (magic === '\x89PNG\r\n\x1a\n') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    if (magic.startsWith('GIF8')) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    return magic.startsWith('\xff\xd8') ? jpegSize(bytes) : undefined
  } catch (error) {
    // Reading past the end of a truncated file.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function jpegSize(bytes: Buffer): Size {
  let offset = 2
  for (;;) {
    while (bytes.readUInt8(offset + 1) === 0xff) offset++
    const marker = bytes.readUInt8(offset + 1)
    // SOF0 to SOF15 contain the size; C4, C8 and CC are other segments in that range.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) }
    offset += 2 + bytes.readUInt16BE(offset + 2)
  }
}
