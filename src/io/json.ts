/** JSON: its types, parsing with a place for mistakes, and printing. */

import { errorMessage, UsageError } from '../errors.ts'
import { sanitizeJson } from './sanitize.ts'
import type { Sink } from './io.ts'

export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects in an array; other elements are skipped, and anything but an array has none. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** @returns `otherwise` for what is not valid JSON; `null` is a value. */
export function parseJsonIfValid<Otherwise = undefined>(text: string, otherwise?: Otherwise): Json | Otherwise {
  try {
    return JSON.parse(text) as Json
  } catch {
    return otherwise as Otherwise
  }
}

/** Whether a value is a text with something in it: services send empty ones for what is not there. */
export function isNonEmptyText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

/** The texts of an array; whatever else is in it, or in the array's place, is passed over. */
export function stringsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** @returns the digits of a decimal, a number or a text with or without `$`; nothing for anything else. */
export function decimalText(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const digits = String(value).trim().replace(/^\$/, '')
  return digits !== '' && Number.isFinite(Number(digits)) ? digits : undefined
}

/**
 * Parses JSON that the user wrote.
 * @param where The flag or file that holds the text, for the error.
 * @param firstLine The number of the text's first line in that file.
 * @throws UsageError with the line and column of the first mistake.
 */
export function parseJson(text: string, where: string, firstLine = 1): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    const reason = errorMessage(error)
    throw new UsageError(
      `${where}: not valid JSON${positionText(offsetOf(reason, text), text, firstLine)}: ${withoutPosition(reason)}`,
    )
  }
}

function positionText(offset: number, text: string, firstLine: number): string {
  const lines = text.slice(0, offset).split('\n')
  return ` at line ${firstLine + lines.length - 1}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

// V8 gives the offset only in its message, "… in JSON at position 12" (followed by "(line 1 column 13)" since Node 22), and
// not at all for an unexpected token: that follows the longest prefix which is merely incomplete.
function offsetOf(reason: string, text: string): number {
  const offset = /at position (\d+)/.exec(reason)?.[1]
  if (offset !== undefined) return Number(offset)
  let [good, bad] = [0, text.length + 1]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isPrefix(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
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

// The piece of text that V8 quotes (`..."key": sk-12"... is not valid JSON`) may be part of a secret.
function withoutPosition(reason: string): string {
  return reason
    .replace(/(?: in JSON)? at position \d+.*$/s, '')
    .replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, '')
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
export function jsonLines(values: readonly Json[], { isTerminal }: Pick<Sink, 'isTerminal'>): string {
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
  return isTerminal ? sanitizeJson(text) : text
}

/** One JSON document with a final newline: indented on a terminal, on one line elsewhere. */
export function jsonText(value: Json, { isTerminal }: Pick<Sink, 'isTerminal'>): string {
  const text = JSON.stringify(value, undefined, isTerminal ? 2 : undefined)
  return `${isTerminal ? sanitizeJson(text) : text}\n`
}

/** A value for use in a shell: a string without quotes, anything else as JSON. */
export function bareText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
