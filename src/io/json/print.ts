/** Prints JSON, whole and as people read parts of it: values, names and paths. */

import { type Sink, writeText } from '../io.ts'
import { sanitizeJson } from '../text/safe-text.ts'
import { exactJson, isExactNumber } from './exact-numbers.ts'
import type { Json } from './json.ts'
import { isDeeper } from './scan.ts'

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

/** A value as errors quote it: JSON of at most 60 characters. */
export function quote(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
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
