/** The quota on a terminal: the amounts and the renewal of each block. */

import type { QuotaBlock, QuotaField, Renewal } from '../api/quota.ts'
import { joinSafe, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { localTime, relativeTime } from '../io/time/time.ts'
import type { Json } from '../io/json/json.ts'
import { bareText } from '../io/json/print.ts'
import { readableAmount } from './record.ts'
import type { Style } from '../terminal/style.ts'
import { labeledLines } from '../terminal/table.ts'
import { wrapTo } from '../terminal/word-wrap.ts'

export interface QuotaTableOptions {
  readonly columns: number
  /** Milliseconds since 1970. Renewals are shown relative to it. */
  readonly now: number
  readonly style: Style
}

/** With less room next to the names, these get their own lines. */
const minWidth = 40

/** @returns lines, none wider than the terminal. */
export function quotaTable(blocks: readonly QuotaBlock[], view: QuotaTableOptions): SafeText[] {
  const entries = blocks.map(
    (block) => [sanitizeName(block.name), (width: number) => blockLines(block, width, view)] as const,
  )
  return labeledLines(entries, { width: view.columns, heading: view.style.bold }, minWidth)
}

function blockLines(block: QuotaBlock, width: number, { now, style }: QuotaTableOptions): SafeText[] {
  const { name, renewal, fields } = block
  const facts = [amountText(block), renewal ? renewalText(renewal, now) : ''].filter((text) => text !== '')
  const lines = facts.flatMap((text) => wrapTo(sanitizeName(text), width))
  return fields.length === 0 ? lines : [...lines, ...wrapTo(fieldsText(name, fields), width).map(style.dim)]
}

function renewalText({ text, time, isWhole }: Renewal, now: number): string {
  const label = isWhole ? 'renews' : 'next partial renewal'
  return `${label} ${time === undefined ? text : `${localTime(time)} (${relativeTime(time, now)})`}`
}

function amountText({ used, limit, remaining, percentLeft, unit }: QuotaBlock): string {
  const format = (value: number): string => readableAmount(value, unit)
  const isLimited = limit !== undefined && limit > 0
  if (used !== undefined)
    return isLimited ? `${format(used)} of ${format(limit)} used` : `${format(used)} used, with no known limit`
  if (remaining !== undefined) return `${format(remaining)} left`
  if (percentLeft !== undefined) return `${readableAmount(percentLeft, 'count')}% left`
  if (limit === undefined) return ''
  return isLimited ? `limit ${format(limit)}` : 'no known limit'
}

/** Known keys in words. */
function fieldText(key: string, value: Json): string {
  if (key === 'nextRegenCredits') return `renews ${bareText(value)} each time`
  if (key === 'tickPercent' && typeof value === 'number')
    return `renews ${readableAmount(100 * value, 'count')}% each time`
  if (key === 'limited' && typeof value === 'boolean') return value ? 'limited now' : 'not limited now'
  const words = key.replace(/([a-z])([A-Z])/g, (_both, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  return `${words} ${bareText(value)}`
}

function fieldsText(name: string, fields: readonly QuotaField[]): SafeText {
  const texts = fields.map(({ path, value }) =>
    path === name ? bareText(value) : fieldText(path.slice(name.length + 1), value),
  )
  return joinSafe(texts.map(sanitizeName), safe` · `)
}
