/** What the sandbox sees of an image: its format and size, or where it is. Nothing is ever fetched. */

import { imageSize } from './image-size.ts'

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
