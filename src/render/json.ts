import type { Json } from '../fields/json.ts'
import { harmlessJson } from '../io/harmless.ts'
import type { Sink } from '../io/io.ts'

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
