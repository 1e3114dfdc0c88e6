/** The quota on a terminal: a bar for each block, and what it means in words. */

import type { QuotaBlock, QuotaField, Renewal } from '../api/quota.ts'
import { sanitizeName } from '../io/sanitize.ts'
import { localTime, relativeTime } from '../io/time.ts'
import { bareText } from '../io/json.ts'
import { readableAmount } from './record.ts'
import type { Style } from '../terminal/style.ts'
import { widthOf, wrapTo } from '../terminal/width.ts'

export interface TableView {
  /** Of the terminal. */
  readonly columns: number
  /** Milliseconds since 1970: renewals are shown relative to it. */
  readonly now: number
  readonly style: Style
}

const longestBar = 20

/** Of the width, where that is less. */
const barPart = 0.4

/** What must be left beside the names; where there is less, they stand on lines of their own. */
const leastWidth = 40

/** @returns lines, none wider than the terminal. */
export function quotaTable(blocks: readonly QuotaBlock[], view: TableView): string[] {
  const { columns, style } = view
  const names = blocks.map(({ name }) => sanitizeName(name))
  const nameWidth = Math.max(0, ...names.map(widthOf)) + 2
  const isNarrow = columns - nameWidth < leastWidth
  const indent = isNarrow ? 2 : nameWidth
  return blocks.flatMap((block, index) => {
    const name = names[index] ?? ''
    const lines = blockLines(block, columns - indent, view)
    if (isNarrow) return [...wrapTo(name, columns).map(style.bold), ...lines.map((line) => ' '.repeat(indent) + line)]
    const heading = style.bold(name) + ' '.repeat(indent - widthOf(name))
    return lines.map((line, row) => (row === 0 ? heading : ' '.repeat(indent)) + line)
  })
}

function blockLines(block: QuotaBlock, width: number, { now, style }: TableView): string[] {
  const { renewal, fields } = block
  return [
    ...amountLines(block, width, style),
    ...(renewal ? renewalLines(renewal, width, now) : []),
    ...(fields.length > 0 ? wrapTo(fieldsText(block.name, fields), width).map(style.dim) : []),
  ]
}

function amountLines(block: QuotaBlock, width: number, style: Style): string[] {
  const text = amountText(block)
  if (block.percentLeft === undefined) return text === '' ? [] : wrapTo(text, width)
  const cells = Math.max(1, Math.min(longestBar, Math.floor(width * barPart)))
  const bar = barText(block.percentLeft, cells)
  return beside(style.remaining(bar, block.percentLeft / 100), `  ${text}`, width)
}

function renewalLines({ text, time, isWhole }: Renewal, width: number, now: number): string[] {
  const verb = isWhole ? 'renews' : 'renews in part'
  if (time === undefined) return wrapTo(`${verb} ${sanitizeName(text)}`, width)
  return beside(`${verb} ${localTime(time)}`, ` (${relativeTime(time, now)})`, width)
}

/** The second text on the same line, or where there is no room for it, on lines of its own. */
function beside(first: string, second: string, width: number): string[] {
  return widthOf(first + second) <= width ? [first + second] : [...wrapTo(first, width), ...wrapTo(second, width)]
}

/** What is used is filled. Only a bar of which nothing is left is full, and only an unused one is empty. */
function barText(percentLeft: number, cells: number): string {
  const used = Math.round(((100 - percentLeft) / 100) * cells)
  const filled = Math.min(Math.max(used, percentLeft < 100 ? 1 : 0), percentLeft > 0 ? cells - 1 : cells)
  return '█'.repeat(filled) + '░'.repeat(cells - filled)
}

function amountText({ used, limit, remaining, percentLeft, unit }: QuotaBlock): string {
  const shown = (value: number): string => readableAmount(value, unit)
  const isLimited = limit !== undefined && limit > 0
  if (used !== undefined)
    return isLimited ? `${shown(used)} of ${shown(limit)} used` : `${shown(used)} used, limit unknown`
  if (remaining !== undefined) return `${shown(remaining)} left`
  if (percentLeft !== undefined) return `${readableAmount(percentLeft, 'count')}% left`
  if (limit === undefined) return ''
  return isLimited ? `limit ${shown(limit)}` : 'limit unknown'
}

function fieldsText(name: string, fields: readonly QuotaField[]): string {
  return fields
    .map(({ path, value }) => (path === name ? bareText(value) : `${path.slice(name.length + 1)} ${bareText(value)}`))
    .map(sanitizeName)
    .join(' · ')
}
