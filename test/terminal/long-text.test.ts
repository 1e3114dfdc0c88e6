/** A long text on a terminal takes linear work, in turns between which Ctrl-C is handled, wherever it stands. */

import { expect, test } from 'vitest'
import { asSafeText } from '../../src/io/text/safe-text.ts'
import { cutTo } from '../../src/terminal/width.ts'
import { endOfWrapped } from '../../src/terminal/wrapped-width.ts'
import { wrapWords } from '../../src/terminal/wrap-words.ts'
import { WordWrap, wrapTo } from '../../src/terminal/word-wrap.ts'
import { chat } from '../helpers/chat.ts'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { bare, render } from '../helpers/markdown.ts'

/** Work that grows with its square would take minutes. */
const word = 'x'.repeat(200_000)

function letters(text: string): string {
  return bare(text).replaceAll(/[^x]/g, '')
}

test.each<[where: string, chunk: object | string]>([
  ['a heading', `# ${word}\n`],
  ['a cell', `|a|b|\n|-|-|\n|${word}|c|\n`],
  ['reasoning', delta({ reasoning_content: word })],
])('a word without end in %s', async (_where, chunk) => {
  const { code, out, err } = await chat(['--retries', '0', 'hi'], { answer: streamed(chunk, end()), isTerminal: true })
  expect({ code, isWhole: letters(out + err) === word }).toEqual({ code: 0, isWhole: true })
})

test.each(['*', '[', '*a*b', '[a](b', '`a``b', '![', '&amp;', '<a b="', '|a', '👩\u200d'])(
  '%j without end, in a paragraph and in a cell',
  async (mark) => {
    const text = mark.repeat(33_000 / mark.length)
    expect(await render(`${text}\n\n|a|\n|-|\n|${text}|\n`)).not.toBe('')
  },
)

test('reasoning that is one word is shown while it arrives', () => {
  const words = new WordWrap({ columns: () => 80 })
  const shown = Array.from({ length: 4000 }, () => words.push(asSafeText('12345')))
  expect(shown.slice(0, 2000).join('').length).toBeGreaterThan(5000)
  expect(`${shown.join('')}${words.end()}`).toBe('12345'.repeat(4000))
})

test('of a long text only the start is measured that is shown', () => {
  expect(cutTo('“'.repeat(2_000_000), 5)).toBe('““““…')
  expect(cutTo(`${'a\u0301'.repeat(3)}${'\u0301'.repeat(2000)}`, 5)).toHaveLength(2006)
})

test('a text of millions of characters is left to the terminal to wrap', () => {
  const text = asSafeText('␛ '.repeat(1_000_000))
  expect([wrapTo(text, 80), wrapWords(`a\n${text}`, 80)]).toEqual([[text], ['a', text]])
})

test.each([
  ['x', 50, 80, 80],
  ['x', 51, 80, 1],
  ['中', 25, 80, 80],
  ['中', 26, 80, 2],
])('%j %i times after column 30 of %i columns ends in column %i', (character, count, columns, column) => {
  expect(endOfWrapped(character.repeat(count), 30, columns).column).toBe(column)
})

test('a long table is printed in parts, each with its header', async () => {
  const rows = Array.from({ length: 1000 }, (_, row) => `| ${row} | ${'x'.repeat(50)} |\n`)
  const shown = bare(await render(`| head | c |\n|-|-|\n${rows.join('')}`))
  const parts = shown.split('head').length - 1
  expect(parts).toBeGreaterThan(1)
  expect(parts).toBeLessThan(5)
  expect(shown.match(/│ \d+ +│/g)).toHaveLength(1000)
})

test('a table with more than 1000 columns is text', async () => {
  const table = (columns: number): string => `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n`
  expect(await render(table(900))).not.toContain('|-|')
  expect(await render(table(10_000))).toContain('|-|')
})
