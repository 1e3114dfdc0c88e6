/** The cost of long answers in many pieces, in bytes and in time. */

import { expect, test } from 'vitest'
import { expectLinear, growthFactor } from '../../helpers/growth.ts'
import { chapters, cut } from '../../helpers/long-text.ts'
import { render } from '../../helpers/markdown.ts'

test('200 KB in 50,000 pieces write the same bytes as in one', async () => {
  const whole = chapters(200_000)
  expect(await render(cut(whole, 50_000))).toBe(await render(whole))
})

const size = 3600

// If anything were scanned again for each piece, the time would grow with the square.
test.each<[title: string, make: (size: number) => string]>([
  ['chapters', chapters],
  ['one long line with an open mark', (size) => `**${'word '.repeat(size / 5)}`],
  ['one table', (size) => `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(size / 10)}`],
  ['one block of code', (size) => `\`\`\`ts\n${'let a = 1 // b\n'.repeat(size / 15)}`],
  ['dashes', (size) => '- '.repeat(size / 2)],
  ['emphasis within emphasis', (size) => `${'*a '.repeat(300)}${'b* '.repeat(300)}`.repeat(size / 1800)],
  ['a heading of addresses', (size) => `# ${'[a](b'.repeat(size / 5)}`],
  ['lines deep in quotes', (size) => `${'>'.repeat(size / 2)}a\n${'b\n'.repeat(size / 4)}`],
  ['a tag that never ends', (size) => `<a ${'b '.repeat(size / 2)}`],
  ['lines with open code', (size) => '`a\n'.repeat(size / 3)],
])('linear time for %s', async (_title, make) => {
  const [short = [], long = []] = [size, size * growthFactor].map(make).map((whole) => cut(whole, whole.length / 4))
  await expectLinear(
    () => render(short),
    () => render(long),
  )
})
