/** What a search by meaning finds: the files that paths stand for, and the parts of a text. */

import { constants, isUtf8 } from 'node:buffer'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { mapConcurrently } from '../api/concurrent-map.ts'
import { UsageError } from '../errors.ts'
import { pathsMatching } from '../fields/pattern.ts'
import { append } from '../io/arrays.ts'
import { cannotRead, inputChunks, type InputIo, onOneLine } from '../io/files/files.ts'
import type { FolderOptions } from '../io/files/folder-files.ts'
import { isDamagedName, isFile, statsOf } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import { kindOf } from '../io/text/first-bytes.ts'
import { withLineFeeds } from '../io/text/lines.ts'
import { andOthers } from '../io/text/plural.ts'
import { checkDelimiter, needsRecords, recordFormatOf, recordFormats } from './records.ts'
import { fileSource, type InputFormat } from './embedding-input.ts'

export const partKinds = ['paragraph', 'line', 'file'] as const

/** In requests of 64, more take minutes to be embedded. */
export const maxParts = 20_000

/** The longest paragraph, in UTF-16 units: the embedding of a longer text says less about each of its subjects. */
const maxLength = 1500

/** A text without white space at its edges, whose lines end in LF, and the number of its first line, or of its page, from 1. */
type Passage = {
  readonly line: number
  readonly isPage?: boolean
  readonly text: string
  /** The white space before it on its first line, if there is any. */
  readonly indent?: string
}

/** A part of a file: `-` for standard input. */
export interface Part extends Passage {
  readonly path: string
  /** The nearest title of Markdown above it. */
  readonly heading?: string | undefined
}

/** The path begins as typed; `-` is standard input. `isNamed` if it was typed itself, and not its folder or a pattern. */
type PartFile = { readonly path: string; readonly isNamed: boolean }

/**
 * The files that paths stand for, in their order, each once: those of a folder, and those that match a pattern, also with `**`.
 * @throws UsageError for a folder that cannot be read; the signal's reason.
 */
export async function* partFiles(typed: readonly string[], options: FolderOptions): AsyncGenerator<PartFile> {
  const seen = new Set<string>()
  for (const one of typed) {
    for await (const path of pathsOf(one, options)) {
      if (seen.size < seen.add(path === '-' ? path : resolve(path)).size) yield { path, isNamed: path === one }
    }
  }
}

async function* pathsOf(typed: string, options: FolderOptions): AsyncGenerator<string> {
  const { filesBelow, isOffered } = await import('../io/files/folder-files.ts')
  if (!statsOf(typed)?.isDirectory()) {
    const matching = typed === '-' ? [] : await pathsMatching(typed)
    const isKey = (path: string): boolean => !isOffered(path) || !isOffered(realpathSync(path))
    const found = matching.filter((one) => (isFile(one) ? one === typed || !isKey(one) : isDamagedName(one)))
    return yield* found.length === 0 ? [typed] : found.map((path) => path.replace(/^-$/, './-'))
  }
  try {
    const below = (path: string): string => typed.replace(/\/*$/, () => `/${path}`)
    const onUnreadable = (path: string): void => options.onUnreadable?.(below(path))
    for await (const path of filesBelow(typed, { ...options, isNamed: true, onUnreadable })) yield below(path)
  } catch (error) {
    throw new UsageError(cannotRead(typed, error))
  }
  options.signal.throwIfAborted()
}

/**
 * Reads a file of any size, which is not counted as input of a request.
 * @returns `undefined` if it is not text, or longer than a string can be, or cannot be read and was not named.
 * @throws UsageError for a named one that cannot be read; the signal's reason.
 */
export async function readPartFile({ path, isNamed }: PartFile, io: InputIo): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of inputChunks(path, '', { ...io, isFound: !isNamed })) {
      size += chunk.length
      if (size > constants.MAX_STRING_LENGTH || chunk.includes(0)) return undefined
      chunks.push(chunk)
    }
  } catch (error) {
    if (isNamed || !(error instanceof UsageError)) throw error
    return undefined
  }
  const bytes = Buffer.concat(chunks)
  return isUtf8(bytes) && !kindOf(bytes) ? new TextDecoder().decode(bytes) : undefined
}

/**
 * Splits a text into paragraphs, which blank lines separate, or into lines that are not blank. A heading goes with the paragraph
 * after it: alone it would rank high and say nothing. A paragraph that is too long is cut; one without a letter or digit, such
 * as `---`, is left out.
 */
export function* splitParts(text: string, by: (typeof partKinds)[number]): Generator<Passage, void, undefined> {
  const lines = withLineFeeds(text)
  let first: { line: number; start: number } | undefined
  for (let line = 1, start = 0, end = 0; end < lines.length; line++, start = end + 1) {
    const next = lines.indexOf('\n', start)
    end = next === -1 ? lines.length : next
    const isBlank = !/\S/.test(lines.slice(start, end))
    if (!isBlank) first ??= { line, start }
    if (!first) continue
    const part = lines.slice(first.start, end)
    const isHeading = isBlank && part.length <= 300 && part.replace(titles, '').trim() === ''
    if (end < lines.length && (by === 'file' || (by === 'paragraph' && (!isBlank || isHeading)))) continue
    yield* by === 'paragraph' ? cut(part.trimEnd(), first.line) : [passageOf(first.line, part)]
    first = undefined
  }
}

/** The passages of a text with form feeds, each on one page. */
function* splitPages(text: string, by: (typeof partKinds)[number]): Generator<Passage> {
  for (const [at, page] of text.split('\f').entries())
    for (const part of splitParts(page, by)) yield { ...part, line: at + 1, isPage: true }
}

function passageOf(line: number, text: string): Passage {
  const indent = text.slice(0, text.length - text.trimStart().length)
  return { line, text: text.trim(), ...(indent !== '' && { indent }) }
}

/** Titles in Markdown: `# Title`, or underlined. With the blank lines behind them, at most 300 characters. */
const titles = /^[ \t]*#{1,6}[ \t].*$|^.+\n[ \t]*(?:={3,}|-{3,})[ \t]*$/gm

/** Cuts at the last line end, or else the last blank, in the second half of what fits: so no heading is alone. */
function* cut(text: string, line: number): Generator<Passage> {
  for (let rest = text; rest !== '';) {
    const [blank = ''] = /^\s*/.exec(rest) ?? []
    rest = rest.slice(blank.length)
    line += blank.split('\n').length - 1
    const ends = rest.length > maxLength ? [/\n[^\n]*$/, /\s\S*$/, /[\ud800-\udbff]?.$/s] : []
    const end = ends.map((end) => rest.slice(0, maxLength + 1).search(end)).find((at) => at > maxLength / 2)
    const part = rest.slice(0, end).trimEnd()
    if (/[\p{L}\p{N}]/u.test(part)) yield passageOf(line, blank.slice(blank.lastIndexOf('\n') + 1) + part)
    line += part.split('\n').length - 1
    rest = rest.slice(part.length)
  }
}

/** How the parts of a file are found. */
interface PartOptions extends InputFormat {
  readonly by?: (typeof partKinds)[number] | undefined
  /** Called with each part. If it returns `false`, no more is read (default: all is). */
  accepts?(part: Part): boolean
}

/** What reading needs: notices say what was left out. */
interface Notifying {
  readonly io: Io
  readonly notices: { info(text: string): Promise<void> }
}

/**
 * The parts of all files that paths stand for. Records of tables and JSON Lines are parts, too, unless `by` says otherwise.
 * Notices say which files are not text, and which tables are taken for it.
 * @returns an empty list if one is not accepted.
 * @throws UsageError as `partFiles` and `readPartFile` do, for a column that no file has, and if there is no text.
 */
export async function readParts(paths: readonly string[], options: PartOptions, context: Notifying): Promise<Part[]> {
  const { io, notices } = context
  const parts: Part[] = []
  const [skipped, unreadable]: [string[], UsageError[]] = [[], []]
  let hasRecords = false
  const onUnreadable = (folder: string): void => append(skipped, [folder])
  const byReader = async (file: PartFile) => {
    const read = await io.readers?.read(file.path, onOneLine(file.path), io.signal).catch((error: unknown) => {
      if (file.isNamed || !(error instanceof UsageError)) throw error
      append(skipped, [error.message])
      return ''
    })
    return { file, read }
  }
  const files = partFiles(paths, { signal: io.signal, onUnreadable })
  for await (const { file, read } of mapConcurrently(files, byReader)) {
    let unreadableAs: UsageError | undefined
    const records =
      read !== undefined
        ? undefined
        : await recordsIn(file, options, io).catch((error: unknown) => {
            const isAsked = options.format ?? options.column ?? options.delimiter
            if (isAsked !== undefined || !(error instanceof UsageError)) throw error
            unreadableAs = error
          })
    hasRecords ||= records !== undefined
    const text = records ? '' : (read ?? (await readPartFile(file, io)))
    if (text === undefined) append(skipped, [file.path])
    else if (unreadableAs) append(unreadable, [unreadableAs])
    const by = options.by ?? (options.format === 'lines' ? 'line' : 'paragraph')
    const headingAt = headingsIn(file.path, text ?? '')
    const split = read?.includes('\f') ? splitPages : splitParts
    for (const passage of records ?? split(text ?? '', by)) {
      const part = { ...passage, path: file.path, heading: headingAt(passage.line) }
      if (options.accepts?.(part) === false) return []
      parts.push(part)
    }
  }
  if (options.column !== undefined && !hasRecords) throw needsRecords('--column')
  const [asText] = unreadable
  if (asText) await notices.info(`searched as text: ${asText.message}${andOthers(unreadable, 'file')}`)
  if (skipped.length > 0)
    await notices.info(`skipped, no readable UTF-8 text: ${onOneLine(skipped[0] ?? '')}${andOthers(skipped, 'file')}`)
  if (parts.length === 0) throw noText(paths)
  return parts
}

function noText([path = '', ...others]: readonly string[]): UsageError {
  const name = others.length > 0 ? 'these files' : path === '-' ? 'standard input' : path
  return new UsageError(`no text to search in ${name}`)
}

/** @returns the title above a line of Markdown, in whose code a `#` begins a comment. To be asked in the order of the lines. */
function headingsIn(path: string, text: string): (line: number) => string | undefined {
  if (!/\.(md|mdx|markdown)$/i.test(path)) return () => undefined
  const lines = withLineFeeds(text).split('\n')
  let [at, fence, heading]: [number, string, string | undefined] = [0, '', undefined]
  return (line) => {
    for (; at < line - 1; at++) {
      const [, mark = '', title] = /^ {0,3}(?:(`{3,}|~{3,})|#{1,6}[ \t]+(.*?)[ \t#]*$)/.exec(lines[at] ?? '') ?? []
      if (mark !== '' && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : ''
      else if (fence === '' && title) heading = title
    }
    return heading
  }
}

/** @returns `undefined` for a text. @throws UsageError as its source does. */
async function recordsIn(file: PartFile, { by, ...options }: PartOptions, io: Io): Promise<Passage[] | undefined> {
  const { path, isNamed } = file
  const isTable = isNamed && options.delimiter !== undefined
  const format = options.format ?? recordFormatOf(path) ?? (isTable ? 'csv' : undefined)
  if (isNamed) checkDelimiter(options.delimiter, format)
  if (by !== undefined || !recordFormats.some((one) => one === format)) return undefined
  const records: Passage[] = []
  for await (const rows of fileSource(path, { ...options, format }, { ...io, isFound: !isNamed }, '').read())
    append(records, rows)
  return records.filter(({ text }) => text.trim() !== '')
}
