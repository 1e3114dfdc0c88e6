import { UsageError } from '../errors.ts'
import { harmlessJson } from './harmless.ts'
import type { Sink } from './io.ts'

export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of an array; whatever else stands there, or in the array's place, is passed over. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Whether a value is a text with something in it: services send empty ones for what is not there. */
export function isNonEmptyText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

/** The texts of an array; whatever else is in it, or in the array's place, is passed over. */
export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** @returns the digits of a decimal, a number or a text with or without `$`; nothing for anything else. */
export function decimalText(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const digits = String(value).trim().replace(/^\$/, '')
  return digits !== '' && Number.isFinite(Number(digits)) ? digits : undefined
}

/** Parses JSON that a program wrote; nothing where it is not JSON. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Parses JSON; what is none, as when a limit of tokens cut it, stays the text that it is. */
export function jsonOrText(text: string): Json {
  const json = tryParseJson(text)
  return json === undefined ? text : json
}

/**
 * Parses JSON that a person wrote.
 * @param where Names the text in the error: a flag or a file.
 * @param firstLine The text's own place there.
 * @throws UsageError with line and column of the first mistake.
 */
export function parseJson(text: string, where: string, firstLine = 1): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `${where}: not valid JSON${placeOf(offsetOf(reason, text), text, firstLine)}: ${withoutPlace(reason)}`,
    )
  }
}

function placeOf(offset: number, text: string, firstLine: number): string {
  const lines = text.slice(0, offset).split('\n')
  return ` at line ${firstLine + lines.length - 1}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

// V8 tells the offset only in words, "… in JSON at position 12" (with "(line 1 column 13)" after it from Node 22 on), and
// not at all for an unexpected token: that stands after the longest beginning which is merely unfinished.
function offsetOf(reason: string, text: string): number {
  const told = /at position (\d+)/.exec(reason)?.[1]
  if (told !== undefined) return Number(told)
  let [good, bad] = [0, text.length + 1]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isBeginning(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return /end of JSON input|Unterminated string/.test(reason) || reason.includes(`at position ${text.length}`)
  }
}

// The piece of text that V8 quotes (`..."key": sk-12"... is not valid JSON`) may be part of a secret.
function withoutPlace(reason: string): string {
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

/** How a value is quoted in an error: as JSON, shortened. */
export function quote(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** One JSON value a line. */
export function jsonLines(values: readonly Json[], { isTerminal }: Pick<Sink, 'isTerminal'>): string {
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
  return isTerminal ? harmlessJson(text) : text
}

/** One JSON document and its line end: indented on a terminal, on one line elsewhere. */
export function jsonText(value: Json, { isTerminal }: Pick<Sink, 'isTerminal'>): string {
  const text = JSON.stringify(value, undefined, isTerminal ? 2 : undefined)
  return `${isTerminal ? harmlessJson(text) : text}\n`
}

/** A value as a shell wants it: text without quotes, anything else as JSON. */
export function bareText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
