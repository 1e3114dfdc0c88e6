/** Long answers: what they cost, in bytes and in work, when they come in very many pieces. */

import { expect, test } from 'vitest'
import { chapters, cut } from '../../helpers/long-text.ts'
import { render } from '../../helpers/markdown.ts'

test('200 KB in 50,000 pieces write the bytes that they write in one', async () => {
  const whole = chapters(200_000)
  expect(await render(cut(whole, 50_000))).toBe(await render(whole))
})

/** Of the processor, in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const { user } = process.cpuUsage()
  await work()
  return (process.cpuUsage().user - user) / 1000
}

// Eight times as much may take 24 times as long: were anything read again for each piece, it would be 64.
test.each<[title: string, make: (size: number) => string]>([
  ['chapters', chapters],
  ['one paragraph', (size) => 'word '.repeat(size / 5)],
  ['one long line with an open mark', (size) => `**${'word '.repeat(size / 5)}`],
  ['one word', (size) => 'x'.repeat(size)],
  ['one list', (size) => '- item of a list\n'.repeat(size / 17)],
  ['one quote', (size) => '> quoted\n'.repeat(size / 9)],
  ['one table', (size) => `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(size / 10)}`],
  ['one block of code', (size) => `\`\`\`ts\n${'let a = 1 // b\n'.repeat(size / 15)}`],
  ['one comment', (size) => `\`\`\`ts\n/*\n${'let a = 1 // b\n'.repeat(size / 15)}`],
  ['dashes', (size) => '- '.repeat(size / 2)],
  ['backticks', (size) => '`a'.repeat(size / 2)],
  ['stars', (size) => '*'.repeat(size)],
  ['emphasis that only begins', (size) => '*a _b '.repeat(size / 6)],
  ['emphasis within emphasis', (size) => `${'*a '.repeat(300)}${'b* '.repeat(300)}`.repeat(size / 1800)],
  ['a heading of it', (size) => `# ${'*a '.repeat(size / 6)}${'b* '.repeat(size / 6)}`],
  ['a heading of addresses', (size) => `# ${'[a](b'.repeat(size / 5)}`],
  ['dollars', (size) => '$'.repeat(size)],
  ['prices', (size) => '$1 '.repeat(size / 3)],
  ['formulas that only begin', (size) => '\\('.repeat(size / 2)],
  ['one formula', (size) => `$$\n${'- a\n'.repeat(size / 4)}`],
  ['brackets', (size) => '['.repeat(size)],
  ['tags', (size) => '<'.repeat(size)],
  ['line breaks', (size) => '<br'.repeat(size / 3)],
  ['quotes in each other', (size) => '>'.repeat(size)],
  ['lists in each other', (size) => `${'1. '.repeat(size / 3)}a`],
  ['lists in quotes', (size) => `${'> - '.repeat(size / 4)}a`],
  ['tasks in each other', (size) => `${'- '.repeat(size / 2)}a`],
  ['lines deep in quotes', (size) => `${'>'.repeat(size / 2)}a\n${'b\n'.repeat(size / 4)}`],
  ['a product', (size) => 'ab*'.repeat(size / 3)],
  ['a power', (size) => 'a**b'.repeat(size / 4)],
  ['a path', (size) => '/**'.repeat(size / 3)],
  ['an address with stars', (size) => `http://a.b/${'c*'.repeat(size / 2)}`],
  ['names', (size) => '__a'.repeat(size / 3)],
  ['prices and code', (size) => '$a `b'.repeat(size / 5)],
  ['a tag that never ends', (size) => `<a ${'b '.repeat(size / 2)}`],
  ['a comment in HTML', (size) => `<!--\n${'\n- a\n'.repeat(size / 5)}`],
  ['HTML', (size) => `<p>\n${'<b>\n'.repeat(size / 4)}`],
])('work grows with the length of %s', async (_title, make) => {
  const [short, long] = [make(8000), make(64_000)].map((whole) => cut(whole, whole.length / 4))
  await render(short ?? [])
  const growth = async (): Promise<number> => {
    const [little, much] = [await timeOf(() => render(short ?? [])), await timeOf(() => render(long ?? []))]
    // Below a few milliseconds it is the machine that is measured.
    return much / Math.max(little, 5)
  }
  let least = await growth()
  // A machine with other work to do may be slow once, but hardly each time.
  for (let again = 0; again < 3 && least >= 24; again++) least = Math.min(least, await growth())
  expect(least).toBeLessThan(24)
})
