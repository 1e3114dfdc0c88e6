/** Formats the quota: as a table, as tab-separated lines, as JSON, or one value of it. */

import { type QuotaBlock, quotaBlocks, requestsLeft } from '../api/quota.ts'
import { FailedError } from '../errors.ts'
import { suggestion } from '../fields/suggestion.ts'
import {
  linesOf,
  noText,
  safe,
  type SafeText,
  sanitizeForTerminal,
  sanitizeJson,
  sanitizeName,
  textFor,
} from '../io/text/safe-text.ts'
import type { Io, Sink } from '../io/io.ts'
import { bareText, dottedName, isExactNumber, type Json, type JsonObject, jsonText } from '../io/json/json.ts'
import type { Style } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { isSilent, type QuotaOptions } from './options.ts'
import { chooseBlock, exactAmount, unknownQuotaText, noQuotaText } from './record.ts'

/**
 * Formats a record. The text is empty if nothing is to be printed.
 * @throws FailedError if the record lacks the requested value.
 */
export type QuotaFormat = (record: JsonObject, columns: number) => SafeText

/** @param sink Where it will be printed. */
export async function loadQuotaFormat(
  options: QuotaOptions,
  sink: Sink,
  style: Style,
  { now }: Io,
): Promise<QuotaFormat> {
  const { json, get: path, remaining, block } = options
  if (isSilent(options)) return () => noText
  if (json) return (record) => textFor(sink, jsonText(record, sink), sanitizeJson)
  if (path !== undefined) return (record) => valueText(record, path, sink)
  if (remaining) return (record) => safe`${remainingOf(record, block)}\n`
  if (!sink.isTerminal) return (record) => textFor(sink, quotaLines(chosenBlocks(record, block)))
  const [{ quotaTable }, { wrapTo }] = await Promise.all([import('./bars.ts'), import('../terminal/word-wrap.ts')])
  return (record, columns) => {
    const blocks = chosenBlocks(record, block)
    const lines =
      blocks.length === 0
        ? wrapTo(sanitizeForTerminal(noQuotaText(record, block)), columns)
        : quotaTable(blocks, { columns, now: now(), style })
    return linesOf(lines)
  }
}

function chosenBlocks(record: JsonObject, name: string | undefined): QuotaBlock[] {
  return name === undefined ? quotaBlocks(record) : [chooseBlock(record, name) ?? []].flat()
}

function valueText(record: JsonObject, path: string, sink: Sink): SafeText {
  const value = valueNamed(record, path)
  if (typeof value !== 'string' || isExactNumber(value)) return textFor(sink, jsonText(value, sink), sanitizeJson)
  return textFor(sink, `${value}\n`)
}

function remainingOf(record: JsonObject, name: string | undefined): number {
  const remaining = name === undefined ? requestsLeft(record) : chooseBlock(record, name)?.remaining
  if (remaining === undefined) throw new FailedError(unknownQuotaText(record, name))
  return remaining
}

/** For programs: of a block its name, used, limit, remaining and renewal; of any other value its path and the value. */
function quotaLines(blocks: readonly QuotaBlock[]): string {
  return tabSeparated(blocks.flatMap(rowsOf))
}

function rowsOf({ name, unit, used, limit, remaining, renewal, fields }: QuotaBlock): string[][] {
  const amounts = [used, limit, remaining].map((value) => (value === undefined ? '' : exactAmount(value, unit)))
  const cells = [...amounts, renewal?.text ?? '']
  const hasCells = cells.some((cell) => cell !== '')
  return [...(hasCells ? [[name, ...cells]] : []), ...fields.map(({ path, value }) => [path, bareText(value)])]
}

/**
 * Returns the value that `--get` names.
 * @param path Keys joined by dots, such as `search.hourly.limit`. Keys may contain dots.
 * @throws FailedError naming the available keys.
 */
function valueNamed(record: JsonObject, path: string): Json {
  const found = findValue(record, path)
  if (found !== undefined) return found
  const paths = pathsIn(record)
  const parentPath = paths.findLast((one) => path.startsWith(`${one}.`))
  const parent = parentPath === undefined ? record : (findValue(record, parentPath) ?? null)
  const keys = entriesOf(parent).map(([key]) => sanitizeName(key))
  const parentName = parentPath === undefined ? '' : ` in ${sanitizeName(parentPath)}`
  const hint =
    keys.length > 0 ? `available${parentName}: ${keys.join(', ')}` : `${sanitizeName(parentPath ?? '')} has no keys`
  throw new FailedError(`--get: no value named ${JSON.stringify(path)}${sanitizeName(suggestion(path, paths))}`, {
    hint: paths.length > 0 ? hint : noQuotaText(record),
  })
}

function findValue(value: Json, path: string): Json | undefined {
  for (const [key, inner] of entriesOf(value)) {
    if (key === path) return inner
    const found = path.startsWith(`${key}.`) ? findValue(inner, path.slice(key.length + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The paths of all values, at every depth. Parents come before their children. */
function pathsIn(value: Json, ...around: readonly string[]): string[] {
  return entriesOf(value).flatMap(([key, inner]) => {
    const path = dottedName(...around, key)
    return [path, ...pathsIn(inner, path)]
  })
}

function entriesOf(value: Json): [string, Json][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
