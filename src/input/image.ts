/** Reads images from a path, a URL, a data URL, standard input or the clipboard. The format is detected from the first bytes. */

import { type Image, imageFormats, isImageUrl } from '../api/image.ts'
import { UsageError } from '../errors.ts'
import { inputName, readInput } from '../io/files/files.ts'
import { readStart } from '../io/files/regular-file.ts'
import { mayExist } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import { kindOf } from '../io/text/first-bytes.ts'

const expected = 'expected JPEG, PNG, GIF, WebP or TIFF'

/** @throws UsageError for a file that cannot be read, and for a format that the service does not accept. */
export async function readImage(source: string, io: Io, name = '--image'): Promise<Image> {
  if (/^https?:\/\//i.test(source)) return checkedUrl(source, name)
  if (source.startsWith('data:')) return dataUri(source, name)
  if (/^\w{2,}:\/\//.test(source)) {
    throw new UsageError(`${name}: ${source} is not a path, an http(s) URL or a data URL`)
  }
  const clipboard = source === 'clipboard' && !mayExist(source) && (await import('../io/process/clipboard.ts'))
  const bytes = clipboard ? await clipboard.readClipboardImage(name, io) : await readInput(source, name, io)
  const shown = source === '-' ? 'standard input' : clipboard ? 'the content of the clipboard' : source
  if (bytes.length === 0) throw new UsageError(`${name}: ${shown} is empty`)
  const { name: found = 'not an image', use: format = '' } = kindOf(bytes, true) ?? {}
  if (!isAccepted(format)) throw new UsageError(`${name}: ${shown} is ${found}; ${expected}`)
  if (clipboard) {
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const facts = format === 'image/png' ? `PNG, ${view.getUint32(16)}x${view.getUint32(20)}` : found
    await io.readers?.notify(`image from the clipboard: ${facts}, ${Math.ceil(bytes.length / 1000)} kB`)
  }
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

/**
 * Whether a regular file is to be read as an image, also in a format that the service does not accept. An SVG image is text.
 * @returns `false` if it cannot be read: reading the whole says why.
 */
export function isImageFile(path: string): boolean {
  try {
    const start = readStart(path, 512, 'latin1') ?? ''
    return kindOf(Buffer.from(start, 'latin1'))?.name.endsWith('image') ?? false
  } catch {
    return false
  }
}
