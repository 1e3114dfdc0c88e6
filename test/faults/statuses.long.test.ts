/** Every status with every operation. */

import { expect, test } from 'vitest'
import { statuses } from './axes/status.ts'
import { tryCase } from './cell.ts'

test.each(statuses.cases)('$name', async (one) => {
  expect(await tryCase(one, 1)).toEqual([])
})
