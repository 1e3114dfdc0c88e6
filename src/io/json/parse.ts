/** Parses JSON: with limits of depth and number of values, and with the position of errors. */

import { errorMessage, UsageError } from '../../errors.ts'
import type { Json } from './json.ts'
import { countValues, isDeeper } from './scan.ts'

/**
 * The most levels of nesting in a document or a reply. Code that walks or prints a value calls itself for each level, and
 * the stack ends at about 1,000 with the most complex of it, the compiler of schemas. Real documents have fewer than 50.
 */
const maxDepth = 500

/** What is stored contains documents and replies, a few levels deeper. */
const maxStoredDepth = 2 * maxDepth

/**
 * The most values of a reply, or of JSON in it: a million of them take about 75 MB, and up to a second of CPU time in which
 * Ctrl-C waits, and 64 MiB of `[],[],…` would take 1.5 GB and ten seconds.
 */
export const maxValues = 1024 * 1024

class TooDeepError extends Error {}

/** @throws SyntaxError; TooDeepError; Error for more values. */
function parse(text: string, depth: number, values = Infinity): Json {
  // Before parsing: at a gigabyte of brackets, the parser itself runs out of memory.
  if (text.length > depth && isDeeper(text, depth)) throw new TooDeepError(`nested more than ${depth} levels deep`)
  if (text.length > values && countValues(text, values) > values) throw new Error('too many values')
  return JSON.parse(text) as Json
}

/**
 * @param values The most values that it may have.
 * @returns `fallback` for invalid JSON, and for JSON that is nested too deep or has too many values.
 */
export function parseJsonIfValid<Fallback = undefined>(
  text: string,
  fallback?: Fallback,
  values = maxValues,
  depth = maxDepth,
): Json | Fallback {
  try {
    return parse(text, depth, values)
  } catch {
    return fallback as Fallback
  }
}

/** Parses what syn itself wrote, which may be deeper and longer than a reply. */
export function parseStoredJson<Fallback = undefined>(text: string, fallback?: Fallback): Json | Fallback {
  return parseJsonIfValid(text, fallback, Infinity, maxStoredDepth)
}

/** What a reply is for which `parseJsonIfValid` has no value: `invalid JSON: {"a` */
export function describeInvalidJson(text: string, excerpt = text.slice(0, 200), values = maxValues): string {
  if (isDeeper(text, maxDepth)) return `JSON nested more than ${maxDepth} levels deep`
  if (countValues(text, values) > values) return `JSON with more than ${values} values`
  return `invalid JSON: ${excerpt}`
}

/**
 * Parses JSON that the user wrote.
 * @throws UsageError with the line and column of the first error, or if it is nested too deep.
 */
export function parseJson(text: string, where: string, firstLine = 1): Json {
  try {
    return parse(text, maxDepth)
  } catch (error) {
    if (error instanceof TooDeepError) throw new UsageError(`${where}: ${error.message}`)
    const reason = errorMessage(error)
    const offset = offsetOf(reason, text)
    const position = positionText(offset, text, firstLine)
    throw new UsageError(`${where}: not valid JSON${position}: ${reasonText(reason, text.codePointAt(offset))}`)
  }
}

/** ` at line 1, column 12` */
export function positionText(offset: number, text: string, firstLine: number): string {
  let line = firstLine
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return ` at line ${line}, column ${offset - start + 1}`
}

// V8 gives the offset only in its message, "… in JSON at position 12" (followed by "(line 1 column 13)" since Node 22), and
// not at all for an unexpected token. That token follows the longest prefix that is valid but incomplete.
function offsetOf(reason: string, text: string): number {
  const offset = /at position (\d+)/.exec(reason)?.[1]
  if (offset !== undefined) return Number(offset)
  let [valid, invalid] = [0, text.length + 1]
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (isPrefix(text.slice(0, middle))) valid = middle
    else invalid = middle
  }
  return valid
}

function isPrefix(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return /end of JSON input|Unterminated string/.test(reason) || reason.includes(`at position ${text.length}`)
  }
}

// V8 quotes part of the text (`..."key": sk-12"... is not valid JSON`), which may be a secret, and half of a character.
function reasonText(reason: string, found = 0): string {
  if (reason.startsWith("Unexpected token '")) return `Unexpected ${tokenText(String.fromCodePoint(found))}`
  return reason.replace(/(?: in JSON)? at position \d+.*$/s, '')
}

function tokenText(character: string): string {
  if (/[\r\n]/.test(character)) return 'end of the line'
  const isVisible = /[^\p{C}\p{Z}]/u.test(character)
  return isVisible
    ? `token '${character}'`
    : `character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
