/** Hints for what a request's table does not have: `--param` sends it, or another option takes it. Loaded only after a failure. */

import { UsageError, withHint } from '../errors.ts'
import { parseJsonIfValid } from '../io/json/json.ts'
import { shellWord } from '../io/text/shell-word.ts'
import { flagOf, type Field, type Fields } from './field.ts'
import { kindOf } from './kinds.ts'
import { nearest } from './nearest.ts'
import type { RawFlag } from './parse.ts'

/**
 * @param row The field, of a request that has it.
 * @param raw The value of its flag; `undefined` if that is missing.
 */
export function uncheckedHint(name: string, row: Field, raw: RawFlag | undefined): string {
  return `use -p ${shellWord(`${name}=${paramValue(row, raw)}`)} to send it unchecked`
}

/** The hint for an error about a plain word that is none of the strings that the row's field can be. */
export function unlistedWordHint(
  error: UsageError,
  rows: Fields,
  typed: ReadonlyMap<string, RawFlag>,
): string | undefined {
  for (const [name, raw] of typed) {
    const row = rows[name]
    if (!row || !('choices' in row) || !error.message.startsWith(`${flagOf(name)}: `)) continue
    const isPlain = typeof raw === 'string' && /^[A-Za-z][\w-]*$/.test(raw)
    const { choices = [] } = row
    // A field without such strings cannot be a string.
    if (isPlain && choices.length > 0 && nearest(raw, choices) === undefined) return uncheckedHint(name, row, raw)
  }
  return undefined
}

/** Adds a hint to the error about a tool that syn is to run, or a file of such tools, as the value of `--tools`. */
export function withToolHint(error: unknown, raw: RawFlag | undefined): unknown {
  if (!(error instanceof UsageError) || typeof raw !== 'string' || !error.message.startsWith('--tools')) return error
  if (/"(tools|mcpServers)":/.test(error.message)) {
    const file = shellWord(raw.replace(/^@/, ''))
    return withHint(error, `use -T NAME --tools-file ${file} to let the model call a tool of this file`)
  }
  const isName = /^[\w-]{1,64}(\/[\w.-]{1,64})?$/.test(raw) && error.message.endsWith('is neither JSON nor a file')
  return isName ? withHint(error, `use -T ${raw} to let the model call this tool of tools.json`) : error
}

/** In the syntax of `--param`; the placeholder if the flag's value does not fit. */
function paramValue(row: Field, raw: RawFlag | undefined): string {
  const kind = kindOf(row)
  if (typeof raw === 'boolean') return String(raw)
  const [text, ...others] = [raw ?? []].flat()
  if (text === undefined) return kind.placeholder(row)
  if (row.kind === 'texts') {
    return row.single && others.length === 0 ? textParam(text) : JSON.stringify([text, ...others])
  }
  if (row.kind === 'choice or object') {
    const value = row.fromWord?.(text) ?? text
    return typeof value === 'string' && /^[\w-]+$/.test(value) ? value : jsonParam(JSON.stringify(value))
  }
  if (row.kind === 'object' || row.kind === 'array' || row.kind === 'document') return jsonParam(text)
  const value = kind.fromText(row, text)
  if (kind.check(row, value) && !('choices' in row)) return kind.placeholder(row)
  return typeof value === 'string' ? textParam(value) : JSON.stringify(value)
}

/** `--param` would read `5` as a number. */
function textParam(text: string): string {
  return parseJsonIfValid(text) === undefined ? text : JSON.stringify(text)
}

/** `--param` reads no files. */
function jsonParam(text: string): string {
  return parseJsonIfValid(text) === undefined ? 'JSON' : text
}
