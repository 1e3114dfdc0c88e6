/** Words that are longer than a line: the terminal wraps them, so that they can be copied and clicked. */

import { expect, test } from 'vitest'
import { asSafeText } from '../../../src/io/text/safe-text.ts'
import { MarkdownRenderer } from '../../../src/terminal/markdown/renderer.ts'
import { bare, lines, optionsOf } from '../../helpers/markdown.ts'

const address = `https://a.bc/${'0123456789'.repeat(3)}/end`

test.each<[title: string, markdown: string, lines: string[]]>([
  ['alone', address, [address]],
  ['after words, on a line of its own', `see ${address}`, ['see', address]],
  ['before words, which follow on its last row', `${address} is it, so read it`, [`${address} is it, so`, 'read it']],
  ['of a link', `[a b c](${address}) d`, ['a b c', `(${address}) d`]],
])('an address %s', async (_title, markdown, shown) => {
  expect(await lines(markdown, { columns: 20 })).toEqual(shown)
})

test('a word that is passed on in parts is not broken', async () => {
  const word = 'x'.repeat(9000)
  const renderer = new MarkdownRenderer(await optionsOf({ columns: 20 }))
  const first = renderer.push(asSafeText(`a ${word.slice(0, 5000)}`))
  // The work is linear, because the beginning is not held back.
  expect(first.length).toBeGreaterThan(4000)
  expect(bare(first + renderer.push(asSafeText(`${word.slice(5000)} b`)) + renderer.end())).toBe(`a\n${word}\nb\n`)
})

test('if it does not fit into a table, the cells are listed below each other', async () => {
  const shown = ['a:', address, 'b: c d', '─'.repeat(20), 'a: e', 'b: f']
  expect(await lines(`|a|b|\n|-|-|\n|${address}|c d|\n|e|f|`, { columns: 20 })).toEqual(shown)
})
