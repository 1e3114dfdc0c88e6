/** Tables: alignment, wrapping, and narrow terminals. */

import { expect, test } from 'vitest'
import { cellsOf, lines, render, rendered } from '../../helpers/markdown.ts'

function show(text: string): string[] {
  return text.replace(/^\n/, '').replace(/\n *$/, '').split('\n')
}

test.each<[title: string, columns: number, markdown: string, shown: string]>([
  [
    'alignment',
    40,
    '|Name|Price|Here|\n|:--|--:|:-:|\n|a|1|x|\n|bcd|12345.67|y|',
    `
┌──────┬──────────┬──────┐
│ Name │    Price │ Here │
├──────┼──────────┼──────┤
│ a    │        1 │  x   │
│ bcd  │ 12345.67 │  y   │
└──────┴──────────┴──────┘`,
  ],
  [
    'cells wrap, and rows of several lines are separated',
    30,
    '| Word | Meaning |\n|---|---|\n| boat | a small thing that floats on water |\n| ship | a large one |',
    `
┌──────┬─────────────────────┐
│ Word │ Meaning             │
├──────┼─────────────────────┤
│ boat │ a small thing that  │
│      │ floats on water     │
├──────┼─────────────────────┤
│ ship │ a large one         │
└──────┴─────────────────────┘`,
  ],
  [
    'too many columns are listed below each other',
    24,
    '| Name | Color | Remark |\n|---|---|---|\n| Ada Lovelace | dark green | none so far |\n| Bob | red |',
    `
Name: Ada Lovelace
Color: dark green
Remark: none so far
────────────────────────
Name: Bob
Color: red
Remark:`,
  ],
  [
    'pipes in cells, and marks',
    40,
    '| a \\| b | `c \\| d` | **e** |\n|---|---|---|\n| x\\\\ | <b> | &lt; |',
    `
┌───────┬───────┬───┐
│ a | b │ c | d │ e │
├───────┼───────┼───┤
│ x\\    │ <b>   │ < │
└───────┴───────┴───┘`,
  ],
  [
    'line breaks in cells',
    40,
    '|a|b|\n|-|-|\n|c<br>long one<BR />d|e|\n|`<br>`|f|',
    `
┌──────────┬───┐
│ a        │ b │
├──────────┼───┤
│ c        │ e │
│ long one │   │
│ d        │   │
├──────────┼───┤
│ <br>     │ f │
└──────────┴───┘`,
  ],
  ['in a quote', 20, '> |a|\n> |-|\n\nb', '\n│ ┌───┐\n│ │ a │\n│ └───┘\n\nb'],
  ['a different number of cells is not a table', 40, '|a|b|\n|-|', '|a|b|\n|-|'],
])('%s', async (_title, columns, markdown, shown) => {
  expect((await lines(markdown, { columns })).map((line) => line.trimEnd())).toEqual(show(shown))
})

// xterm.js adds up the widths of joined emoji.
test('nothing of a cell is drawn over by the next border, however wide the terminal draws an emoji', async () => {
  const text = '| a | b |\n|---|---|\n| 👩‍👩‍👧‍👦 👩‍👩‍👧‍👦 and **more** words | 👩‍👩‍👧‍👦 [link](http://a.b) |'
  const shown = cellsOf(await rendered(text, { columns: 80 })).map((cells) => cells.join(''))
  expect(shown[3]).toMatch(/ and more words │ .+ link \(http:\/\/a\.b\) │$/)
})

test('a table whose widths are certain has no cursor moves', async () => {
  const table =
    '| Äpfel ñ | Ελλάδα | Добрый | 日本語、한국어 カタカナ |\n|-|-|-|-|\n| “a” – b… | **c** | `d` | [e](http://f.g) |'
  expect(await render(table)).not.toMatch(/\u001b\[(?!\d*m)/)
})
