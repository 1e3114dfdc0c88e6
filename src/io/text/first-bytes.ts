/** What a document is by its first bytes, if it is no text in UTF-8, and how to make text of it. */

import { isUtf8 } from 'node:buffer'
import { UsageError } from '../../errors.ts'
import { shellWord } from './shell-word.ts'

/** `use`: the media type of an image that the service may accept, or the usual command that prints the text of `{}`. */
type Kind = readonly [start: RegExp, name: string, use?: string]

const svg = 'an SVG image'

/** Patterns for the first bytes, decoded as latin1. None matches a text by chance. */
const kinds: readonly Kind[] = [
  [/^\xff\xd8\xff/, 'a JPEG image', 'image/jpeg'],
  [/^\x89PNG\r\n\x1a\n/, 'a PNG image', 'image/png'],
  [/^GIF8[79]a/, 'a GIF image', 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'a WebP image', 'image/webp'],
  [/^(II[*+]\0|MM\0[*+])/, 'a TIFF image', 'image/tiff'],
  [/^BM.{4}\0\0\0\0/s, 'a BMP image'],
  [/^.{4}ftyp(heic|heix|hevc|mif1|msf1)/s, 'a HEIC image'],
  [/^.{4}ftypavi[fs]/s, 'an AVIF image'],
  [/^(\xff\x0a|\0\0\0\x0cJXL )/, 'a JPEG XL image'],
  [/^\0\0\x01\0/, 'an ICO image'],
  [/^8BPS\0/, 'a Photoshop image'],
  [/^\s*(<\?xml[^>]*>\s*)?(<!--((?!-->).)*-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg\b/s, svg],
  [/^%PDF-\d/, 'a PDF document', 'pdftotext -layout {} -'],
  [/^PK\x03\x04.*\0xl\/[w_]/s, 'an Excel workbook', 'xlsx2csv {}'],
  [/^PK\x03\x04.*opendocument\.spreadsheet/s, 'a spreadsheet', 'libreoffice --convert-to csv {}'],
  [/^PK\x03\x04.*(\0word\/|epub\+zip|opendocument\.text)/s, 'a text document', 'pandoc -t plain {}'],
  [/^PK\x03\x04/, 'a zip archive', 'unzip -p {}'],
  [/^\xd0\xcf\x11\xe0.*W\0o\0r\0k\0b\0o\0o\0k\0/s, 'an old Excel workbook', 'libreoffice --convert-to csv {}'],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'an old Office document', 'libreoffice --convert-to txt {}'],
  [/^\x1f\x8b/, 'gzip data', 'zcat {}'],
  [/^\x28\xb5\x2f\xfd/, 'zstd data', 'zstdcat {}'],
  [/^\xfd7zXZ\0/, 'xz data', 'xzcat {}'],
  [/^BZh\d1AY&SY/, 'bzip2 data', 'bzcat {}'],
  [/^PAR1[\0-\x1f]/, 'a Parquet file', `duckdb -csv -c "from '{}'"`],
  [/^SQLite format 3\0/, 'an SQLite database', 'sqlite3 {} .dump'],
]

/** JSON of several lines, where each line should be a value. */
const documentsOfLines: readonly Kind[] = [
  [/^\s*\[\s*(\{|$)/, 'a JSON array', "jq -c '.[]' {}"],
  [/^\s*\{\s*$/, 'JSON of several lines', 'jq -c . {}'],
]

/** In bytes: an archive names its first files there. */
const headSize = 65_536

/** @returns `undefined` for a text, in any encoding. @param hasText Whether an SVG image is none. */
export function kindOf(bytes: Uint8Array, hasText = false): { name: string; use?: string | undefined } | undefined {
  const start = Buffer.from(bytes.subarray(0, headSize)).toString('latin1')
  const [, name, use] = kinds.find(([pattern]) => pattern.test(start)) ?? []
  return name === undefined || (name === svg && !hasText) ? undefined : { name, use }
}

/** The error for a document whose first line is one of JSON that has several. */
export function notLines(where: string, firstLine: string): UsageError | undefined {
  const [, name, use = ''] = documentsOfLines.find(([pattern]) => pattern.test(firstLine)) ?? []
  if (name === undefined) return undefined
  return new UsageError(`${where}: ${name}; expected one JSON value per line`, { hint: conversion(use) })
}

/**
 * The error for bytes that are no text in UTF-8, or have null bytes.
 * @param line Where in the document that is. @param hint If they are no text in an encoding that is known. @param extension As
 * `.pdf`, of a file for which the user may set a reader.
 */
export function notText(where: string, bytes: Uint8Array, hint?: string, line = '', extension = ''): UsageError {
  const { name, use = '' } = kindOf(bytes) ?? {}
  if (name !== undefined) {
    const set =
      /^\.(?!txt$|md$)\w+$/.test(extension) &&
      !use.startsWith('libreoffice') &&
      `syn config set readers${extension.toLowerCase()} ${shellWord(use)}`
    const way = set ? `read such files with: ${set}` : conversion(use)
    return new UsageError(`${where}: not UTF-8 text, but ${name}`, { hint: use.includes('{}') ? way : hint })
  }
  const [encoding, from] = encodingOf(bytes) ?? []
  if (from !== undefined) {
    const message = `${where}${line}: not UTF-8 text, but probably ${encoding}`
    return new UsageError(message, { hint: conversion(`iconv -f ${from} -t utf-8`) })
  }
  const what = isUtf8(bytes) ? 'not text: it contains a null byte' : 'not UTF-8 text'
  return new UsageError(`${where}${line}: ${what}`, { hint })
}

function conversion(command: string): string {
  return `convert it with ${command.replace('{}', 'FILE')}`
}

/** Text has these control characters at most: tab, line feed, form feed, carriage return. */
const noText = /[\0-\x08\x0b\x0e-\x1f\x7f]/

/** For people, and for iconv. */
function encodingOf(bytes: Uint8Array): readonly [string, string] | undefined {
  const start = Buffer.from(bytes.subarray(0, headSize)).toString('latin1')
  if (/^(?:\xff\xfe|\xfe\xff)/.test(start)) return ['UTF-16', 'utf-16']
  if (/^\0?(?:[^\0]\0){2,}[^\0]?$/.test(start.slice(0, 1000)))
    return ['UTF-16', start.startsWith('\0') ? 'utf-16be' : 'utf-16le']
  // The second is the start of an image that is cut.
  if (noText.test(start) || start.startsWith('\xff\xd8')) return undefined
  return /[\x80-\x9f]/.test(start) ? ['Windows-1252', 'windows-1252'] : ['Latin-1', 'latin1']
}
