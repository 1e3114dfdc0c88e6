/** When text and blocks become visible: as soon as later text cannot change how they look. */

import { expect, test } from 'vitest'
import { asSafeText, safe } from '../../../src/io/text/safe-text.ts'
import { MarkdownRenderer } from '../../../src/terminal/markdown/renderer.ts'
import { bare, optionsOf, visibleAfter } from '../../helpers/markdown.ts'

test.each<[title: string, pieces: string[], visible: string[]]>([
  ['prose by the word', ['Hel', 'lo wor', 'ld, ', 'x\n'], ['', 'Hello', 'Hello world,', 'Hello world, x\n']],
  ['Chinese by the character', ['中', '文排', '版。', '在'], ['', '中文', '中文排', '中文排版。']],
  ['emphasis when it closes', ['a **b ', 'c', '** ', 'd '], ['a', 'a', 'a b c', 'a b c d']],
  ['a line break', ['a<br', ' ', '/>b '], ['', '', 'a\nb']],
  ['code over the end of a line when it closes', ['a `b ', '\n', 'c', '` d '], ['a', 'a', 'a', 'a b\nc d']],
  ['code that never closes at the end of its paragraph', ['a `b\n', 'c d\n', '\n'], ['a', 'a', 'a `b\nc d\n']],
  ['a line after a label when it is no URL', ['[a]:\n', 'b', ' c '], ['', '', '[a]:\nb c']],
  ['a tag when it closes', ['a <b c', '="d e', '"> f '], ['a', 'a', 'a <b c="d e"> f']],
  ['a link with its target', ['[a ', 'b]', '(http://c.d', ') '], ['', '', '', 'a b (http://c.d)']],
  ['brackets that are no link', ['[a b]', ' '], ['', '[a b]']],
  ['HTML by the line', ['<p>a ', '\n', '  b', '\n'], ['', '<p>a \n', '<p>a \n', '<p>a \n  b\n']],
  ['a heading with its line', ['# One ', 'two', '\n'], ['', '', 'One two\n']],
  ['a bullet with its first word', ['-', ' ', 'a ', 'b '], ['', '', '• a', '• a b']],
  ['a possible rule', ['- - ', '-', '\n'], ['', '', `${'─'.repeat(20)}\n`]],
  ['a task with its first word', ['- [', 'x', '] ', 'a '], ['', '', '', '☑ a']],
  [
    'code by the line',
    ['```\nab', 'c', '\nd', '\n', '``', '`\n'],
    ['', '', 'abc\n', 'abc\nd\n', 'abc\nd\n', 'abc\nd\n'],
  ],
  [
    'a table when it is complete',
    ['|a|\n', '|-|\n', '|b|\n', '\n'],
    ['', '', '', '┌───┐\n│ a │\n├───┤\n│ b │\n└───┘\n'],
  ],
  [
    'a formula when it closes',
    ['$a ', '= b', '$ ', '\\(c ', '\\) '],
    ['', '', '$a = b$', '$a = b$', '$a = b$ \\(c \\)'],
  ],
  ['a price when another follows', ['$5 ', 'or ', '$10 ', 'a\n'], ['', '', '$5 or', '$5 or $10 a\n']],
])('%s', async (_title, pieces, visible) => {
  expect(await visibleAfter(pieces)).toEqual(visible)
})

test('a new width takes effect on the next line', async () => {
  let columns = 10
  const renderer = new MarkdownRenderer({ ...(await optionsOf({})), width: () => columns })
  let shown: string = renderer.push(safe`aaaa bbbb cccc `)
  columns = 20
  shown += renderer.push(safe`dddd eeee ffff gggg hhhh `)
  columns = 5
  shown += renderer.push(safe`iiii jjjj`) + renderer.end()
  expect(shown.split('\n')).toEqual(['aaaa bbbb', 'cccc dddd', 'eeee ffff gggg hhhh', 'iiii', 'jjjj', ''])
})

test.each([
  ['emphasis', 'one **two', 'one **two\n'],
  ['a table', '| a |\n|---|\n| b', '┌───┐\n│ a │\n├───┤\n│ b │\n└───┘\n'],
  ['the header of a table', '| a |', '| a |\n'],
  ['a formula', 'a $b *c', 'a $b *c\n'],
  ['code whose language is still loading', '```ts\nlet a', 'ts\nlet a\n'],
])('text that ends inside %s is complete', async (_what, text, shown) => {
  const renderer = new MarkdownRenderer(await optionsOf({}))
  expect(bare(renderer.push(asSafeText(text)) + renderer.end())).toBe(shown)
})
