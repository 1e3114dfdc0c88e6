/** Answers of several screens: the scrollback contains each line once, in order. */

import { expect, test } from 'vitest'
import { chat } from '../helpers/dialects.ts'
import { cut } from '../helpers/long-text.ts'
import { lines as linesOf } from '../helpers/markdown.ts'
import { lastTextLine, openChat } from '../helpers/interactive-chat.ts'

/** More than four screens, with numbered words. */
function numbered(): { text: string; words: string[] } {
  const words: string[] = []
  const word = (): string => {
    words.push(`w${String(words.length + 1).padStart(3, '0')}`)
    return words.at(-1) ?? ''
  }
  const several = (count: number, make: () => string, between: string): string =>
    Array.from({ length: count }, make).join(between)
  const chapter = (): string =>
    [
      `## ${word()}`,
      several(40, word, ' '),
      several(6, () => `中文排版需要在任意字符之间换行${word()}。`, ''),
      several(5, () => `- ${word()} **${word()}**`, '\n'),
      `| ${word()} | 备注 |\n|---|--:|\n${several(12, () => `| ${word()} | 中 ${word()} |`, '\n')}`,
      `\`\`\`ts\n${several(12, () => `const ${word()} = '日本' // 🎉`, '\n')}\n\`\`\``,
    ].join('\n\n')
  const text = `${several(3, chapter, '\n\n')}\n`
  return { text, words }
}

const columns = 40
const { text, words } = numbered()

test('after the spinner, and during typing', async () => {
  const shown = await linesOf(text, { columns })
  expect(shown.length).toBeGreaterThan(4 * 24)
  const waitedFor = chat.paced()
  await using opened = await openChat([waitedFor.answer], { columns })
  const { screen } = opened

  screen.type('one\r')
  await screen.until((lines) => lastTextLine(lines) === 'waiting for the answer')
  for (const piece of cut(text, 30)) {
    screen.type('x')
    await waitedFor.send(...cut(piece, 20))
  }
  await waitedFor.finish()
  await screen.until((lines) => lines.at(-1) === `› ${'x'.repeat(30)}`)
  expect(opened.linesBelow('› one')).toEqual([...shown, expect.stringMatching(/^3 \+ 2 tokens/), ''])
  expect(
    opened
      .linesBelow('› one')
      .join(' ')
      .match(/w\d{3}/g),
  ).toEqual(words)
})
