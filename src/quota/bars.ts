/** The quota on a terminal: a bar for each block, with amounts and renewal. */

import type { QuotaBlock, QuotaField, Renewal } from '../api/quota.ts'
import { joinSafe, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { localTime, relativeTime } from '../io/time/time.ts'
import type { Json } from '../io/json/json.ts'
import { bareText } from '../io/json/print.ts'
import { readableAmount } from './record.ts'
import type { Style } from '../terminal/style.ts'
import { labeledLines } from '../terminal/table.ts'
import { widthOf } from '../terminal/width.ts'
import { wrapTo } from '../terminal/word-wrap.ts'

export interface QuotaTableOptions {
  readonly columns: number
  /** Milliseconds since 1970. Renewals are shown relative to it. */
  readonly now: number
  readonly style: Style
}

const maxBarWidth = 20

const maxBarShare = 0.4

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
  const { renewal, fields } = block
  return [
    ...amountLines(block, width, style),
    ...(renewal ? renewalLines(renewal, width, now) : []),
    ...(fields.length > 0 ? wrapTo(fieldsText(block.name, fields), width).map(style.dim) : []),
  ]
}

function amountLines(block: QuotaBlock, width: number, style: Style): SafeText[] {
  const text = sanitizeName(amountText(block))
  if (block.percentLeft === undefined) return text === '' ? [] : wrapTo(text, width)
  const cells = Math.max(1, Math.min(maxBarWidth, Math.floor(width * maxBarShare)))
  const bar = sanitizeName(barText(block.percentLeft, cells))
  return onOneLine(style.graded(bar, block.percentLeft / 100), safe`  ${text}`, width)
}

function renewalLines({ text, time, isWhole }: Renewal, width: number, now: number): SafeText[] {
  const label = isWhole ? safe`renews` : safe`next partial renewal`
  if (time === undefined) return wrapTo(safe`${label} ${sanitizeName(text)}`, width)
  const relative = sanitizeName(relativeTime(time, now))
  return onOneLine(safe`${label} ${sanitizeName(localTime(time))}`, safe` (${relative})`, width)
}

/** Joins both texts on one line, or wraps each on its own lines if they do not fit. */
function onOneLine(first: SafeText, second: SafeText, width: number): SafeText[] {
  const whole = safe`${first}${second}`
  return widthOf(whole) <= width ? [whole] : [...wrapTo(first, width), ...wrapTo(second, width)]
}

/** The used part is filled. Only an exhausted quota has a full bar, and only an unused one has an empty bar. */
function barText(percentLeft: number, cells: number): string {
  const used = Math.round(((100 - percentLeft) / 100) * cells)
  const filled = Math.min(Math.max(used, percentLeft < 100 ? 1 : 0), percentLeft > 0 ? cells - 1 : cells)
  return '█'.repeat(filled) + '░'.repeat(cells - filled)
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
