/** What a text is encoded in that is not UTF-8, and how to convert it. */

import { UsageError } from '../../errors.ts'

/** Text has these control characters at most: tab, line feed, form feed, carriage return. */
const noText = /[\0-\x08\x0b\x0e-\x1f\x7f]/

/** The starts of JPEG, PNG and WebP: a short image may have no such character. */
const imageStart = /^(?:\xff\xd8|\x89PNG|RIFF)/

/** The error for bytes that are not UTF-8. @param hint If they are no text in an encoding that is known. */
export function notUtf8(where: string, bytes: Uint8Array, hint?: string): UsageError {
  const [encoding, name] = encodingOf(bytes) ?? []
  if (name === undefined) return new UsageError(`${where}: not UTF-8 text`, { hint })
  return new UsageError(`${where}: not UTF-8 text, but probably ${encoding}`, { hint: iconv(name) })
}

/** The error for a text with null bytes, which is UTF-16 if every second byte is one. @param hint As for `notUtf8`. */
export function withNull(where: string, text: string, hint?: string): UsageError {
  const isUtf16 = /^\0?(?:[^\0]\0){2,}[^\0]?$/.test(text.slice(0, 1000))
  if (!isUtf16) return new UsageError(`${where}: not text: it contains a null byte`, { hint })
  return new UsageError(`${where}: not UTF-8 text, but probably UTF-16`, {
    hint: iconv(text.startsWith('\0') ? 'utf-16be' : 'utf-16le'),
  })
}

/** For people, and for iconv. */
function encodingOf(bytes: Uint8Array): readonly [string, string] | undefined {
  const start = Buffer.from(bytes.subarray(0, 65_536)).toString('latin1')
  if (/^(?:\xff\xfe|\xfe\xff)/.test(start)) return ['UTF-16', 'utf-16']
  if (noText.test(start) || imageStart.test(start)) return undefined
  return /[\x80-\x9f]/.test(start) ? ['Windows-1252', 'windows-1252'] : ['Latin-1', 'latin1']
}

function iconv(name: string): string {
  return `convert it with iconv -f ${name} -t utf-8`
}
