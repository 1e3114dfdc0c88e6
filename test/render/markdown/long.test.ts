/** Long answers: what they cost, in bytes and in work, when they come in very many pieces. */

import { expect, test } from 'vitest'
import { render } from '../../helpers/markdown.ts'

const chapter = `## 第一章 One

A paragraph with **bold text**, \`code\`, a [link](https://example.com/a_b) and an unclosed *star. 中文排版需要在任意字符之间换行。
It goes on in a second line; 日本語のテキスト、そして絵文字 🎉 too.

1. one
   - two
   - [x] three
2. four

> A quote
> of two lines.

| Name | Amount | 备注 |
|:-----|-------:|:----:|
| Ada  |     36 | 中文 |
| Bob  |   1234 | 日本 |

\`\`\`ts
const greeting = \`Hello, \${name}\` // 你好
/* a comment
   of two lines */
\`\`\`
`

function text(characters: number): string {
  return chapter.repeat(Math.ceil(characters / chapter.length)).slice(0, characters)
}

function cut(whole: string, count: number): string[] {
  return Array.from({ length: count }, (_, piece) =>
    whole.slice(Math.floor((piece * whole.length) / count), Math.floor(((piece + 1) * whole.length) / count)),
  )
}

test('200 KB in 50,000 pieces write the bytes that they write in one', async () => {
  const whole = text(200_000)
  expect(await render(cut(whole, 50_000))).toBe(await render(whole))
})

/** Milliseconds of the fastest of three. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times = []
  for (let run = 0; run < 3; run++) {
    const { user } = process.cpuUsage()
    await work()
    times.push((process.cpuUsage().user - user) / 1000)
  }
  return Math.min(...times)
}

// Eight times as much may take 24 times as long: were anything read again for each piece, it would be 64.
test.each<[title: string, make: (size: number) => string]>([
  ['chapters', (size) => text(size)],
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
])('work grows with the length of %s', async (_title, make) => {
  const [short, long] = [make(8000), make(64_000)].map((whole) => cut(whole, whole.length / 4))
  await render(short ?? [])
  const [little, much] = [await timeOf(() => render(short ?? [])), await timeOf(() => render(long ?? []))]
  // Below a few milliseconds it is the machine that is measured.
  expect(much).toBeLessThan(24 * Math.max(little, 5))
})
