/** Commands on a terminal of one column. */

import { expect, test } from 'vitest'
import { tryNarrow } from './one-column.ts'
import { everydayNarrow } from './processes/narrow.ts'

test.concurrent.each(everydayNarrow)('$name', async (one) => {
  expect(await tryNarrow(one)).toEqual([])
})
