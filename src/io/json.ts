/** JSON: types, parsing with the position of errors, and printing. */

import { errorMessage, UsageError } from '../errors.ts'
import { type Sink, writeText } from './io.ts'
import { sanitizeJson } from './safe-text.ts'

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

/** @returns `fallback` for invalid JSON. */
export function parseJsonIfValid<Fallback = undefined>(text: string, fallback?: Fallback): Json | Fallback {
  try {
    return JSON.parse(text) as Json
  } catch {
    return fallback as Fallback
  }
}

/** Whether a value is a string that is not empty: services send empty strings for missing values. */
export function isNonEmptyText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
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
 * @param where The flag or file that the text comes from, for the error.
 * @param firstLine The number of the text's first line in that file.
 * @throws UsageError with the line and column of the first error.
 */
export function parseJson(text: string, where: string, firstLine = 1): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    const reason = errorMessage(error)
    const offset = offsetOf(reason, text)
    const position = positionText(offset, text, firstLine)
    throw new UsageError(`${where}: not valid JSON${position}: ${reasonText(reason, text.codePointAt(offset))}`)
  }
}

function positionText(offset: number, text: string, firstLine: number): string {
  const lines = text.slice(0, offset).split('\n')
  return ` at line ${firstLine + lines.length - 1}, column ${(lines.at(-1)?.length ?? 0) + 1}`
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

/** A value as errors quote it: JSON of at most 60 characters. */
export function quote(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** JSON Lines: one value per line. */
export function writeJsonLines(values: readonly Json[], sink: Sink): Promise<void> {
  return writeText(sink, values.map((value) => `${JSON.stringify(value)}\n`).join(''), sanitizeJson)
}

/** One JSON document with a final newline: indented on a terminal, on one line elsewhere. */
export function jsonText(value: Json, { isTerminal }: Pick<Sink, 'isTerminal'>): string {
  return `${JSON.stringify(value, undefined, isTerminal ? 2 : undefined)}\n`
}

/** Writes one JSON document. Control characters become escapes on a terminal, so that the value is unchanged. */
export function writeJson(value: Json, sink: Sink): Promise<void> {
  return writeText(sink, jsonText(value, sink), sanitizeJson)
}

/** A value for use in a shell: a string without quotes, anything else as JSON. */
export function bareText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
