/** JSON: types, parsing with the position of errors, and printing. */

import { errorMessage, UsageError } from '../../errors.ts'
import { type Sink, writeText } from '../io.ts'
import { sanitizeJson } from '../text/safe-text.ts'

export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects in an array; other elements are skipped. `[]` for anything but an array. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

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
 * The number of values in a JSON text, without the names of objects, as far as it takes no more than one loop: an empty array
 * or object counts twice.
 */
export function countValues(text: string, limit = Infinity): number {
  let count = 1
  for (let at = 0; at < text.length && count <= limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at = stringEnd(text, at)
      if (at === -1) return count
    } else if (code === 0x2c || code === 0x5b || code === 0x7b) count++
  }
  return count
}

/** Whether arrays and objects are nested deeper than this. Of invalid JSON, it may be true or false. */
function isDeeper(text: string, limit: number): boolean {
  if (!hasMoreBrackets(text, limit)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at = stringEnd(text, at)
      if (at === -1) return false
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** Whether a text has more opening brackets than this. Native searches spare most texts a loop over characters. */
function hasMoreBrackets(text: string, limit: number): boolean {
  let left = limit
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at !== -1 && left >= 0; at = text.indexOf(bracket, at + 1)) left--
  }
  return left < 0
}

/** The offset of the quote that ends a string, or -1. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return -1
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

/** A number in JSON that JavaScript may change, such as one of 16 digits, 1.50, 1e5 and -0. Takes 0.5 µs for a chunk. */
const mayChange = /(?:^|[:,[])[ \t\n\r]*[-\d](?:0(?![.\d])|[\d.]*(?:[.eE]|\d{15}))/

/** A random prefix of strings that stand for numbers: no reply can know it. Made when first needed. */
let numberMark: string | undefined

/**
 * The same value for printing: each number that JavaScript would change is a string from which `exactJson` writes it as it was.
 * Not an `index`, which is computed with.
 * @param text Its JSON.
 */
export function withExactNumbers<Value extends Json>(value: Value, text: string): Value {
  if (!mayChange.test(text)) return value
  // Joined at the end: a text that grows by each of a million numbers takes twice as long.
  const pieces: string[] = []
  let copied = 0
  visitNumbers(text, (number, start) => {
    if (String(Number(number)) === number || isIndexAt(text, start)) return
    numberMark ??= `${crypto.randomUUID()}:`
    pieces.push(text.slice(copied, start), '"', numberMark, number, '"')
    copied = start + number.length
  })
  return copied === 0 ? value : (JSON.parse(pieces.join('') + text.slice(copied)) as Value)
}

/** Whether the number at an offset is that of an `index`. */
function isIndexAt(text: string, start: number): boolean {
  return /[\s:]/.test(text.charAt(start - 1)) && /"index"\s*:\s*$/.test(text.slice(Math.max(0, start - 20), start))
}

/** Whether a value stands for a number. */
export function isExactNumber(value: Json): boolean {
  return numberMark !== undefined && typeof value === 'string' && value.startsWith(numberMark)
}

/** The number that a value of `withExactNumbers` stands for; any other value unchanged. */
export function numberOf<Value extends Json | undefined>(value: Value): Value | number {
  if (numberMark === undefined || typeof value !== 'string' || !value.startsWith(numberMark)) return value
  return Number(value.slice(numberMark.length))
}

/** `JSON.stringify` for what is written and sent: with numbers of `withExactNumbers`, and well-formed text. */
export function exactJson(value: Json | object, indent?: number): string {
  const text = withoutHalves(JSON.stringify(value, undefined, indent))
  return numberMark === undefined ? text : text.replaceAll(new RegExp(`"${numberMark}([-+.\\deE]+)"`, 'g'), '$1')
}

/** Half of a pair of UTF-16 surrogates, which JSON has as an escape, becomes U+FFFD: many parsers refuse it, and services too. */
function withoutHalves(json: string): string {
  if (!json.includes('\\ud')) return json
  // All other escapes are found as well: in `\\ud800`, the first two characters are one.
  return json.replaceAll(/\\(?:ud[89a-f]..|.)/g, (escape) => (escape.length > 2 ? '\ufffd' : escape))
}

/** Visits the numbers in a JSON text. */
export function visitNumbers(text: string, visit: (number: string, start: number) => void): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at = stringEnd(text, at)
      if (at === -1) return
    } else if (startsNumber(code)) {
      const start = at
      while (continuesNumber(text.charCodeAt(at + 1))) at++
      visit(text.slice(start, at + 1), start)
    }
  }
}

/** A digit or a minus sign. */
function startsNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d
}

/** Also a plus sign, a point, and E or e. */
function continuesNumber(code: number): boolean {
  return startsNumber(code) || code === 0x2b || code === 0x2e || code === 0x45 || code === 0x65
}

/** What a reply is for which `parseJsonIfValid` has no value: `invalid JSON: {"a` */
export function describeInvalidJson(text: string, excerpt = text.slice(0, 200), values = maxValues): string {
  if (isDeeper(text, maxDepth)) return `JSON nested more than ${maxDepth} levels deep`
  if (countValues(text, values) > values) return `JSON with more than ${values} values`
  return `invalid JSON: ${excerpt}`
}

/** Whether a value is a string that is not empty: services send empty strings for missing values. */
export function isNonEmptyText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

/** The `index` of an element of a list. Some services send it as text. */
export function indexOf({ index }: JsonObject): number | undefined {
  if (typeof index === 'string' && /^\d+$/.test(index)) return Number(index)
  return typeof index === 'number' ? index : undefined
}

/** The strings in an array; other elements are skipped. `[]` for anything but an array. */
export function stringsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** @returns a number, or a numeric string with or without `$`, as text without `$`; `undefined` for anything else. */
export function decimalText(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const digits = String(value).trim().replace(/^\$/, '')
  return digits !== '' && Number.isFinite(Number(digits)) ? digits : undefined
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

/** The size in bytes of all strings in a value, which is nearly that of its JSON. */
export function textSize(value: Json): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + textSize(inner), 0)
}

/** `['messages', 0, 'role']` → `$.messages[0].role` */
export function jsonPath(path: readonly (string | number)[]): string {
  let text = '$'
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[A-Za-z_]\w*$/.test(step)) text += `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text
}

/** In characters: no longer name is one. Two thousand values below a name of a mebibyte would take gigabytes. */
const longestName = 200

/** The name of a value in a record of a service, after the names of the objects around it: `search.hourly`. A longer one is cut. */
export function dottedName(...names: readonly string[]): string {
  const joined = names.map((name) => name.slice(0, longestName + 1)).join('.')
  return joined.length <= longestName ? joined : `${joined.slice(0, longestName - 1)}…`
}

/** A value as errors quote it: JSON of at most 60 characters. */
export function quote(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** JSON Lines: one value per line. */
export function writeJsonLines(values: readonly Json[], sink: Sink): Promise<void> {
  return writeText(sink, values.map((value) => `${exactJson(value)}\n`).join(''), sanitizeJson)
}

/** For a million values 500 levels deep, the indentation alone would take a gigabyte. */
const maxIndentedDepth = 50

/** One JSON document with a final newline: indented on a terminal, if it has room for that, and on one line elsewhere. */
export function jsonText(value: Json, { isTerminal }: Pick<Sink, 'isTerminal'>): string {
  const text = exactJson(value)
  return `${isTerminal && !isDeeper(text, maxIndentedDepth) ? exactJson(value, 2) : text}\n`
}

/** Writes one JSON document. Control characters become escapes on a terminal, so that the value is unchanged. */
export function writeJson(value: Json, sink: Sink): Promise<void> {
  return writeText(sink, jsonText(value, sink), sanitizeJson)
}

/** A value for use in a shell: a string without quotes, anything else as JSON. */
export function bareText(value: Json): string {
  return typeof value === 'string' && !isExactNumber(value) ? value : exactJson(value)
}

/** The offset behind the value at an offset of valid JSON, for texts of which a part is passed on as it was written. */
export function valueEnd(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return stringEnd(text, at) + 1
  if (first !== '[' && first !== '{') return matchEnd(/[^\s,\]}]*/y, text, at)
  // Passes over numbers four times as fast as a loop over their characters.
  const bracket = /["[\]{}]/g
  bracket.lastIndex = at
  let depth = 0
  for (let found = bracket.exec(text); found; found = bracket.exec(text)) {
    const [character] = found
    if (character === '"') bracket.lastIndex = stringEnd(text, found.index) + 1
    else {
      depth += character === '[' || character === '{' ? 1 : -1
      if (depth === 0) return bracket.lastIndex
    }
  }
  return text.length
}

/**
 * Visits the elements of an array.
 * @param visit Gets the offset of an element. @returns the offset behind it.
 * @returns the offset behind the array.
 */
export function visitElements(text: string, start: number, visit: (at: number) => number): number {
  let at = spaceEnd(text, start + 1)
  while (text[at] !== ']' && text[at] !== '}') {
    at = spaceEnd(text, visit(at))
    if (text[at] === ',') at = spaceEnd(text, at + 1)
  }
  return at + 1
}

/** Visits the names and values of an object as `visitElements` does. A name may come again: its last value counts. */
export function visitMembers(text: string, start: number, visit: (name: string, at: number) => number): number {
  return visitElements(text, start, (at) => {
    const nameEnd = valueEnd(text, at)
    const colon = spaceEnd(text, nameEnd)
    return visit(parseJsonIfValid(text.slice(at, nameEnd)) as string, spaceEnd(text, colon + 1))
  })
}

/** The offset of the first character that is not whitespace. */
function spaceEnd(text: string, at: number): number {
  return matchEnd(/\s*/y, text, at)
}

function matchEnd(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at
  sticky.test(text)
  return sticky.lastIndex
}
