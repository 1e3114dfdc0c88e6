/** When text becomes visible: as soon as later text cannot change how it looks. */

import { expect, test } from 'vitest'
import { asSafeText, safe } from '../../../src/io/text/safe-text.ts'
import { MarkdownRenderer } from '../../../src/terminal/markdown/renderer.ts'
import { bare, optionsOf, visibleAfter, type Steps } from '../../helpers/markdown.ts'

test.each<[title: string, steps: Steps]>([
  [
    'prose by the word',
    [
      ['Hel', ''],
      ['lo wor', 'Hello'],
      ['ld, ', 'Hello world,'],
      ['x\n', 'Hello world, x\n'],
    ],
  ],
  [
    'the end of a line',
    [
      ['a\n', 'a\n'],
      ['b ', 'a\nb'],
    ],
  ],
  [
    'Chinese by the character',
    [
      ['中', ''],
      ['文排', '中文'],
      ['版。', '中文排'],
      ['在', '中文排版。'],
    ],
  ],
  [
    'emphasis when it closes',
    [
      ['a **b ', 'a'],
      ['c', 'a'],
      ['** ', 'a b c'],
      ['d ', 'a b c d'],
    ],
  ],
  [
    'unclosed emphasis when the line ends',
    [
      ['a **b ', 'a'],
      ['c', 'a'],
      ['\n', 'a **b c\n'],
    ],
  ],
  [
    'stars in expressions and paths hold nothing back',
    [
      ['2**8 ', '2**8'],
      ['a*b ', '2**8 a*b'],
      ['src/* ', '2**8 a*b src/*'],
      ['/*.c ', '2**8 a*b src/* /*.c'],
    ],
  ],
  [
    'a word with stars holds back only itself',
    [
      ['wide*high', ''],
      [' ', 'wide*high'],
      ['**S**', 'wide*high'],
      ['o a', 'wide*high So'],
    ],
  ],
  [
    'a name between underscores when it is complete',
    [
      ['__init__', ''],
      ['.py ', '__init__.py'],
      ['__a__ ', '__init__.py __a__'],
    ],
  ],
  [
    'a line break',
    [
      ['a<br', ''],
      [' ', ''],
      ['/>b ', 'a\nb'],
    ],
  ],
  [
    'code when it closes',
    [
      ['`a ', ''],
      ['b', ''],
      ['` ', 'a b'],
    ],
  ],
  [
    'code over the end of a line when it closes',
    [
      ['a `b ', 'a'],
      ['\n', 'a'],
      ['c', 'a'],
      ['` d ', 'a b\nc d'],
    ],
  ],
  [
    'code that never closes at the end of its paragraph',
    [
      ['a `b\n', 'a'],
      ['c d\n', 'a'],
      ['\n', 'a `b\nc d\n'],
    ],
  ],
  [
    'a line after a label when it is no URL',
    [
      ['[a]:\n', ''],
      ['b', ''],
      [' c ', '[a]:\nb c'],
    ],
  ],
  [
    'a mail address when it closes',
    [
      ['a <1', 'a'],
      ['2@b.cd> ', 'a 12@b.cd'],
    ],
  ],
  [
    'a tag when it closes',
    [
      ['a <b c', 'a'],
      ['="d e', 'a'],
      ['"> f ', 'a <b c="d e"> f'],
    ],
  ],
  [
    'a less-than sign when no tag can follow',
    [
      ['a < b ', 'a < b'],
      ['<c d', 'a < b'],
      [', ', 'a < b <c d,'],
    ],
  ],
  [
    'a link with its target',
    [
      ['[a ', ''],
      ['b]', ''],
      ['(http://c.d', ''],
      [') ', 'a b (http://c.d)'],
    ],
  ],
  [
    'brackets that are no link',
    [
      ['[a b]', ''],
      [' ', '[a b]'],
    ],
  ],
])('%s', async (_title, steps) => {
  expect(await visibleAfter(steps.map(([piece]) => piece))).toEqual(steps)
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

test('an unclosed mark holds back only part of a long line', async () => {
  const renderer = new MarkdownRenderer(await optionsOf({}))
  expect(renderer.push(safe`*${safe`word `.repeat(1000)}`)).toMatch(/^\*word word/)
})

test.each([
  ['a word', 'one tw', 'one tw\n'],
  ['emphasis', 'one **two', 'one **two\n'],
  ['a table', '| a |\n|---|\n| b', '┌───┐\n│ a │\n├───┤\n│ b │\n└───┘\n'],
  ['the header of a table', '| a |', '| a |\n'],
  ['a tag', 'a <b', 'a <b\n'],
  ['code', '```\na\nb', 'a\nb\n'],
  ['code whose language is still loading', '```ts\nlet a', 'ts\nlet a\n'],
])('text that ends inside %s is complete', async (_what, text, shown) => {
  const renderer = new MarkdownRenderer(await optionsOf({}))
  expect(bare(renderer.push(asSafeText(text)) + renderer.end())).toBe(shown)
})
