/** What the last line of `npm test` says. */

import { expect, test } from 'vitest'
import { skippedLine } from './helpers/skipped.ts'

test.each<[needs: string[], line: string | undefined]>([
  [[], undefined],
  [['jq'], 'skipped: 1 test needs jq'],
  [['jq', 'jq'], 'skipped: 2 tests need jq'],
  [
    ['jq', 'fish', 'a user other than root', 'fish'],
    'skipped: 2 tests need fish, 1 needs jq, 1 needs a user other than root',
  ],
])('%j', (needs, line) => {
  expect(skippedLine(needs)).toBe(line)
})
