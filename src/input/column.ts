/** Where the text stands in each row of a table. */

import { UsageError } from '../errors.ts'

/** The key of JSON objects, or the column of a CSV table, that is taken unasked. */
export const usualColumn = 'text'

export function noSuchColumn(
  where: string,
  kind: 'key' | 'column',
  name: string,
  known: readonly string[],
): UsageError {
  const names = known.map((one) => JSON.stringify(one)).join(', ')
  const message = `${where}: no ${kind} ${JSON.stringify(name)}; it has ${names || 'none'}`
  return new UsageError(message, { hint: '--column names the one that holds the text' })
}
