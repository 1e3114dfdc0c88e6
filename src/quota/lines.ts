/**
 * The quota as a program reads it, in lines of cells parted by tabs: for each block its name, used, limit, remaining and
 * renewal; for each value that has no such cell its path and itself. What is unknown is empty.
 */

import type { QuotaBlock } from '../api/quota.ts'
import { bareText } from '../io/json.ts'
import { exactAmount } from './amount.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'

export function quotaLines(blocks: readonly QuotaBlock[]): string {
  return tabSeparated(blocks.flatMap(rowsOf))
}

function rowsOf({ name, unit, used, limit, remaining, renewal, fields }: QuotaBlock): string[][] {
  const amounts = [used, limit, remaining].map((value) => (value === undefined ? '' : exactAmount(value, unit)))
  const cells = [...amounts, renewal?.text ?? '']
  const hasCells = cells.some((cell) => cell !== '')
  return [...(hasCells ? [[name, ...cells]] : []), ...fields.map(({ path, value }) => [path, bareText(value)])]
}
