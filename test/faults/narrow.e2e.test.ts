/** Commands on a terminal of one column. */

import { expect, test } from 'vitest'
import { tryNarrow } from './one-column.ts'
import { narrow } from './processes/narrow.ts'

test.concurrent.each(narrow)('$name', async (one) => {
  expect(await tryNarrow(one)).toEqual([])
})
