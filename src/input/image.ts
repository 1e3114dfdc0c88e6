/** Reads images from a path, a URL, a data URL or standard input. The format is detected from the first bytes. */

import { type Image, imageFormats, isImageUrl } from '../api/image.ts'
import { UsageError } from '../errors.ts'
import { inputName, readInput } from '../io/files/files.ts'
import { readStart } from '../io/files/regular-file.ts'
import type { Io } from '../io/io.ts'

const expected = 'expected JPEG, PNG, GIF, WebP or TIFF'

/** @throws UsageError for a file that cannot be read, and for a format that the service does not accept. */
export async function readImage(source: string, io: Io, name = '--image'): Promise<Image> {
  if (/^https?:\/\//i.test(source)) return checkedUrl(source, name)
  if (source.startsWith('data:')) return dataUri(source, name)
  if (/^\w{2,}:\/\//.test(source)) {
    throw new UsageError(`${name}: ${source} is not a path, an http(s) URL or a data URL`)
  }
  const bytes = await readInput(source, name, io)
  const shown = source === '-' ? 'standard input' : source
  if (bytes.length === 0) throw new UsageError(`${name}: ${shown} is empty`)
  const format = formatOf(Buffer.from(bytes.subarray(0, signatureSize)).toString('latin1'))
  if (format === undefined) throw new UsageError(`${name}: ${shown} is not an image; ${expected}`)
  if (!isAccepted(format)) throw new UsageError(`${name}: ${shown} is ${format}; ${expected}`)
  const data = Buffer.from(bytes).toString('base64')
  io.inputBudget.take(data.length - bytes.length, source === '-' ? shown : inputName(name, source))
  return `data:${format};base64,${data}`
}

function checkedUrl(source: string, name: string): Image {
  if (URL.canParse(source) && isImageUrl(source)) return source
  throw new UsageError(`${name}: ${source} is not a valid URL`)
}

function dataUri(source: string, name: string): Image {
  const [, mediaType = '', data = ''] = /^data:([^;,]*);base64,([A-Za-z0-9+/]+={0,2})$/.exec(source) ?? []
  if (data === '') throw new UsageError(`${name}: invalid data URL; expected data:FORMAT;base64,DATA`)
  if (isAccepted(mediaType)) return source
  const found = mediaType === '' ? 'no format' : `the format ${mediaType}`
  throw new UsageError(`${name}: the data URL has ${found}; ${expected}`)
}

function isAccepted(format: string): boolean {
  return (imageFormats as readonly string[]).includes(format)
}

const svg = 'an SVG image'

/** In bytes. */
const signatureSize = 512

/** Patterns for the first bytes, decoded as latin1, and their formats. */
const signatures: readonly (readonly [start: RegExp, format: string])[] = [
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^(II[*+]\0|MM\0[*+])/, 'image/tiff'],
  [/^BM.{4}\0\0\0\0/s, 'a BMP image'],
  [/^.{4}ftyp(heic|heix|hevc|mif1|msf1)/s, 'a HEIC image'],
  [/^.{4}ftypavi[fs]/s, 'an AVIF image'],
  [/^(\xff\x0a|\0\0\0\x0cJXL )/, 'a JPEG XL image'],
  [/^\0\0\x01\0/, 'an ICO image'],
  [/^8BPS/, 'a Photoshop image'],
  [/^%PDF-/, 'a PDF document'],
  [/^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg\b/s, svg],
]

/**
 * Whether a regular file is to be read as an image, also in a format that the service does not accept. An SVG image is text.
 * @returns `false` if it cannot be read: reading the whole says why.
 */
export function isImageFile(path: string): boolean {
  try {
    const format = formatOf(readStart(path, signatureSize, 'latin1') ?? '')
    return format !== undefined && format !== svg
  } catch {
    return false
  }
}

/** @param start The first bytes, as latin1. */
export function formatOf(start: string): string | undefined {
  return signatures.find(([signature]) => signature.test(start))?.[1]
}
