/** When a block becomes visible: as soon as its kind is known, and part of it is complete. */

import { expect, test } from 'vitest'
import { visibleAfter, type Steps } from '../../helpers/markdown.ts'

test.each<[title: string, steps: Steps]>([
  [
    'text that starts with a tag',
    [
      ['<b', ''],
      ['>c ', '<b>c'],
    ],
  ],
  [
    'a footnote',
    [
      ['[^1]', ''],
      [': a ', '[^1]: a'],
    ],
  ],
  [
    'HTML by the line',
    [
      ['<p>a ', ''],
      ['\n', '<p>a \n'],
      ['  b', '<p>a \n'],
      ['\n', '<p>a \n  b\n'],
    ],
  ],
  [
    'a heading with its line',
    [
      ['# One ', ''],
      ['two', ''],
      ['\n', 'One two\n'],
    ],
  ],
  [
    'a bullet with its first word',
    [
      ['-', ''],
      [' ', ''],
      ['a ', '• a'],
      ['b ', '• a b'],
    ],
  ],
  [
    'a possible rule',
    [
      ['- - ', ''],
      ['-', ''],
      ['\n', `${'─'.repeat(20)}\n`],
    ],
  ],
  [
    'a task with its first word',
    [
      ['- [', ''],
      ['x', ''],
      ['] ', ''],
      ['a ', '☑ a'],
    ],
  ],
  [
    'code by the line',
    [
      ['```\nab', ''],
      ['c', ''],
      ['\nd', 'abc\n'],
      ['\n', 'abc\nd\n'],
      ['``', 'abc\nd\n'],
      ['`\n', 'abc\nd\n'],
    ],
  ],
  [
    'code of a language',
    [
      ['```ts\nlet', 'ts\n'],
      [' a\n', 'ts\nlet a\n'],
    ],
  ],
  [
    'a table when it is complete',
    [
      ['|a|\n', ''],
      ['|-|\n', ''],
      ['|b|\n', ''],
      ['\n', '┌───┐\n│ a │\n├───┤\n│ b │\n└───┘\n'],
    ],
  ],
  [
    'a line with pipes that starts no table',
    [
      ['|a|\n', ''],
      ['b\n', '|a|\nb\n'],
    ],
  ],
])('%s', async (_title, steps) => {
  expect(await visibleAfter(steps.map(([piece]) => piece))).toEqual(steps)
})
