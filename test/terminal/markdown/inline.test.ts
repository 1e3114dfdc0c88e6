/** Inlines: emphasis, code, links, entities. */

import { describe, expect, test } from 'vitest'
import { lines, render } from '../../helpers/markdown.ts'

describe('text', () => {
  test.each<[title: string, markdown: string, shown: string]>([
    ['emphasis', 'a *b* _c_ **d** __e f__ ***g*** ~~h~~', 'a b c d e f g h'],
    ['Chinese without spaces', '中文**强调**中文*b*中', '中文强调中文b中'],
    ['escapes', String.raw`\*a\* \[b] \(c \{d\} e\\ \e`, String.raw`*a* [b] (c {d} e\ \e`],
    [
      'escapes in a name, a price and a pipe',
      String.raw`snake\_case \$5.00 a \| b \*not bold\* 1\.`,
      'snake_case $5.00 a | b *not bold* 1.',
    ],
    [
      'a path on Windows',
      String.raw`C:\Users\me\.claude\_x \\server\_d`,
      String.raw`C:\Users\me\.claude\_x \\server\_d`,
    ],
    ['a quotation mark in a string', String.raw`"a\"b" **\d+\.\d+**`, String.raw`"a\"b" \d+\.\d+`],
    // Answers in alpaca_eval:
    [
      'a folder of somebody',
      String.raw`**Windows:** C:\Users\[Your Name]\AppData`,
      String.raw`Windows: C:\Users\[Your Name]\AppData`,
    ],
    ['a pattern of addresses', String.raw`^(?:\d{1,3}\.){3}\d{1,3}$`, String.raw`^(?:\d{1,3}\.){3}\d{1,3}$`],
    ['a row of a formula', String.raw`&= \sqrt{9} \\`, String.raw`&= \sqrt{9} \\`],
    ['code with backticks', '``a ` b``', 'a ` b'],
    ['entities', '&lt;&amp;&copy;&#65;&#x42;&nosuch; &lt', '<&©AB&nosuch; &lt'],
    ['entities for control characters', '&#27;[2J&#x9b;&#8238;&#7;', '␛[2J›�␇'],
    ['a reference that is defined later', '[a][b]\n\n[b]: http://c.d', '[a][b]'],
  ])('%s', async (_title, markdown, shown) => {
    expect((await lines(markdown))[0]).toBe(shown)
  })

  test.each<[title: string, markdown: string, shown: string[]]>([
    ['code', 'a `b\\*\n*c*\n d` *e*', ['a b\\*', '*c*', 'd e']],
    ['no code without an end', 'a `b\\*\n*c* `` d\n*e*\n\n`', ['a `b*', 'c `` d', 'e', '', '`']],
    ['no code up to another block', 'a `*b*\n- c` *d*\n> e `f\n\ng`', ['a `b', '• c` d', '│ e `f', '', 'g`']],
    ['no code into a formula', 'a `b\n$$\n- x_b\n$$\nc', ['a `b', '$$', '- x_b', '$$', 'c']],
    ['no emphasis around the end of a line in vain', '*a `b\nc* d', ['*a `b', 'c* d']],
  ])('over the end of a line: %s', async (_title, markdown, shown) => {
    expect(await lines(markdown)).toEqual(shown)
    expect(await render(markdown.split(''))).toBe(await render(markdown))
  })

  test('a reference that is already defined is a link', async () => {
    expect(await lines('[a b]: <http://c.d>\n\n[e][A  B] [a b] [a b][]')).toEqual([
      '[a b]: <http://c.d>',
      '',
      'e (http://c.d) a b (http://c.d) a b (http://c.d)',
    ])
    expect(await lines('[a]:\n  http://c.d\n\n[a]')).toEqual(['[a]:', 'http://c.d', '', 'a (http://c.d)'])
  })
})

test.each<[title: string, markdown: string, shown: string]>([
  ['with a text', '[a](http://b.c/d)', 'a (http://b.c/d)'],
  ['an email address', 'to a_b@c.de.', 'to a_b@c.de.'],
  ['in the text of another link', '[http://b.c](http://d.e)', 'http://b.c (http://d.e)'],
  ['with parentheses', '[a](http://b.c/\\)(d)e)', 'a (http://b.c/)(d)e)'],
  ['to an image', '![a](http://b.c/d.png)', 'a (http://b.c/d.png)'],
  ['with entities', '[a](http://b.c/?d&amp;e)', 'a (http://b.c/?d&e)'],
  ['with control characters', '[a](http://b.c/&#27;&#7;d)', 'a (http://b.c/␛␇d)'],
])('links: %s', async (_title, markdown, shown) => {
  expect(await lines(markdown)).toEqual([shown])
})
