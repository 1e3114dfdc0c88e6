/** Formats the quota: as a table, as tab-separated lines, or as JSON. */

import { type QuotaBlock, quotaBlocks, requestsLeft } from '../api/quota.ts'
import { FailedError } from '../errors.ts'
import {
  linesOf,
  noText,
  safe,
  type SafeText,
  sanitizeForTerminal,
  sanitizeJson,
  textFor,
} from '../io/text/safe-text.ts'
import type { Io, Sink } from '../io/io.ts'
import type { JsonObject } from '../io/json/json.ts'
import { bareText, jsonText } from '../io/json/print.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { isGuard, type QuotaOptions } from './options.ts'
import { chooseBlock, exactAmount, unknownQuotaText, noQuotaText } from './record.ts'

/**
 * What is printed of a record: nothing with a guard and `-q`.
 * @param sink Where it will be printed.
 * @throws FailedError with --remaining, if that is unknown.
 */
export async function quotaText(
  record: JsonObject,
  sink: Sink,
  options: QuotaOptions,
  { io, loadStyle }: { readonly io: Io; readonly loadStyle: LoadStyle },
): Promise<SafeText> {
  const { json, remaining, block, quiet, output } = options
  // The exit status is the only output.
  if (isGuard(options) && quiet && !json && !remaining && output === undefined) return noText
  if (json) return textFor(sink, jsonText(record, sink), sanitizeJson)
  if (remaining) return safe`${remainingOf(record, block)}\n`
  const blocks = block === undefined ? quotaBlocks(record) : [chooseBlock(record, block) ?? []].flat()
  if (!sink.isTerminal) return textFor(sink, tabSeparated(blocks.flatMap(rowsOf)))
  const [{ quotaTable }, { wrapTo }] = await Promise.all([import('./table.ts'), import('../terminal/word-wrap.ts')])
  const columns = sink.columns()
  const lines =
    blocks.length === 0
      ? wrapTo(sanitizeForTerminal(noQuotaText(record, block)), columns)
      : quotaTable(blocks, { columns, now: io.serviceClock.now(), style: await loadStyle(sink) })
  return linesOf(lines)
}

function remainingOf(record: JsonObject, name: string | undefined): number {
  const remaining = name === undefined ? requestsLeft(record) : chooseBlock(record, name)?.remaining
  if (remaining === undefined) throw new FailedError(unknownQuotaText(record, name))
  return remaining
}

/** For programs: of a block its name, used, limit, remaining and renewal; of any other value its path and the value. */
function rowsOf({ name, unit, used, limit, remaining, renewal, fields }: QuotaBlock): string[][] {
  const amounts = [used, limit, remaining].map((value) => (value === undefined ? '' : exactAmount(value, unit)))
  const cells = [...amounts, renewal?.text ?? '']
  const hasCells = cells.some((cell) => cell !== '')
  return [...(hasCells ? [[name, ...cells]] : []), ...fields.map(({ path, value }) => [path, bareText(value)])]
}
