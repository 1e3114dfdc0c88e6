/** How a reading of the quota is printed: as a table, as lines for programs, as JSON, or one value of it. */

import { type QuotaBlock, quotaBlocks } from '../api/quota.ts'
import { FailedError } from '../errors.ts'
import { suggestion } from '../fields/nearest.ts'
import { sanitizeForTerminal, sanitizeName } from '../io/sanitize.ts'
import type { Io, Sink } from '../io/io.ts'
import { bareText, type Json, type JsonObject, jsonText } from '../io/json.ts'
import type { Style } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { isSilent, type QuotaOptions } from './options.ts'
import { chooseBlock, exactAmount, unknownQuotaText, noQuotaText } from './record.ts'

/**
 * A reading as text. It is empty where nothing is to be printed.
 * @throws FailedError when the record lacks what was asked for.
 */
export type QuotaFormat = (record: JsonObject, columns: number) => string

/** @param sink Where it is given out, and in which style. */
export async function loadQuotaFormat(
  options: QuotaOptions,
  sink: Sink,
  style: Style,
  { now }: Io,
): Promise<QuotaFormat> {
  const { json, get: path, remaining, block } = options
  if (isSilent(options)) return () => ''
  if (json) return (record) => jsonText(record, sink)
  if (path !== undefined) return (record) => valueText(record, path, sink)
  if (remaining) return (record) => `${remainingOf(record, block)}\n`
  if (!sink.isTerminal) return (record) => quotaLines(chosenBlocks(record, block))
  const [{ quotaTable }, { wrapTo }] = await Promise.all([import('./bars.ts'), import('../terminal/width.ts')])
  return (record, columns) => {
    const blocks = chosenBlocks(record, block)
    const isEmpty = blocks.length === 0
    const lines = isEmpty
      ? wrapTo(noQuotaText(record, block), columns)
      : quotaTable(blocks, { columns, now: now(), style })
    return `${lines.join('\n')}\n`
  }
}

function chosenBlocks(record: JsonObject, name: string | undefined): QuotaBlock[] {
  if (name === undefined) return quotaBlocks(record)
  const block = chooseBlock(record, name)
  return block ? [block] : []
}

function valueText(record: JsonObject, path: string, sink: Sink): string {
  const value = valueAt(record, path)
  if (typeof value !== 'string') return jsonText(value, sink)
  return `${sink.isTerminal ? sanitizeForTerminal(value) : value}\n`
}

function remainingOf(record: JsonObject, name: string | undefined): number {
  const { remaining } = chooseBlock(record, name) ?? {}
  if (remaining === undefined) throw new FailedError(unknownQuotaText(record, name))
  return remaining
}

/**
 * For programs, tab-separated lines: for each block its name, used, limit, remaining and renewal; for each value that has
 * no such cell its path and itself. What is unknown is empty.
 */
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
 * The value that `--get` names.
 * @param path Keys joined by dots, such as `search.hourly.limit`; a key may hold dots itself.
 * @throws FailedError naming the keys that there are.
 */
function valueAt(record: JsonObject, path: string): Json {
  const found = follow(record, path)
  if (found !== undefined) return found
  const paths = pathsIn(record)
  const beginning = paths.findLast((one) => path.startsWith(`${one}.`))
  const place = beginning === undefined ? record : (follow(record, beginning) ?? null)
  const keys = entriesOf(place).map(([key]) => sanitizeName(key))
  const holder = beginning === undefined ? 'the quota' : sanitizeName(beginning)
  const hint = keys.length > 0 ? `${holder} has ${keys.join(', ')}` : `${holder} has no keys`
  throw new FailedError(`--get: there is no ${path}${sanitizeName(suggestion(path, paths))}`, {
    hint: paths.length > 0 ? hint : noQuotaText(record),
  })
}

function follow(value: Json, path: string): Json | undefined {
  for (const [key, held] of entriesOf(value)) {
    if (key === path) return held
    const found = path.startsWith(`${key}.`) ? follow(held, path.slice(key.length + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Of objects and arrays at every depth, those further in later. */
function pathsIn(value: Json): string[] {
  return entriesOf(value).flatMap(([key, held]) => [key, ...pathsIn(held).map((path) => `${key}.${path}`)])
}

function entriesOf(value: Json): [string, Json][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
