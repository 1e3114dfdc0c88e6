/** What a person reads of each block, without colours. */

import { describe, expect, test } from 'vitest'
import { lines, type Rendering } from '../../helpers/markdown.ts'

function table(rows: [title: string, markdown: string, shown: string[], rendering?: Rendering][]): void {
  test.each(rows)('%s', async (_title, markdown, shown, rendering) => {
    expect(await lines(markdown, { columns: 30, ...rendering })).toEqual(shown)
  })
}

const ruled = '─'.repeat(30)

describe('paragraphs', () => {
  table([
    ['nothing', '', ['']],
    ['only white space', ' \n\n\t\n', ['']],
    ['wrap between words', 'one two three four five six seven', ['one two three four five six', 'seven']],
    ['lines stay lines', 'one\ntwo  three\n  four', ['one', 'two three', 'four']],
    [
      'and wrap each by itself',
      'one two three four five six seven\neight\nnine',
      ['one two three four five six', 'seven', 'eight', 'nine'],
    ],
    ['notes', '**Note:** a\n**Tip:** b', ['Note: a', 'Tip: b']],
    ['footnotes', '[^1]: a\n[^2]: b', ['[^1]: a', '[^2]: b']],
    ['front matter', '---\na: b\nc: d\n---\ne', [ruled, '', 'a: b', 'c: d', ruled, '', 'e']],
    ['a table without bars at the edges', 'a | b\n--|--\nc | d', ['a | b', '--|--', 'c | d']],
    ['a blank line parts them', 'one\n\n\n\ntwo', ['one', '', 'two']],
    ['none at the edges', '\n\none\n\n', ['one']],
    ['two spaces at the end are not seen', 'one  \ntwo', ['one', 'two']],
    ['nor is one', 'one \ntwo', ['one', 'two']],
    ['nor is a backslash before the next line', 'one\\\ntwo', ['one', 'two']],
    ['at the end it is one', 'one\\', ['one\\']],
    ['Windows line ends are not the business of this one, indents are', '   one\n      two', ['one', 'two']],
  ])
})

describe('headings', () => {
  table([
    ['stand apart', 'one\n# Two\nthree', ['one', '', 'Two', '', 'three']],
    ['of every depth', '###### Deep ##', ['Deep']],
    ['not without a space', '#one', ['#one']],
    ['not of depth 7', '####### one', ['####### one']],
    ['a hash at the end that is text', '# C#', ['C#']],
    ['wrap', '# one two three four five six seven', ['one two three four five six', 'seven']],
    ['without styling keep their marks', '## One\n### Two', ['## One', '', '### Two'], { hasColor: false }],
    ['an underline is a rule', 'One\n---\ntwo', ['One', ruled, '', 'two']],
    ['a double one too', 'One\n===\ntwo', ['One', '═'.repeat(30), '', 'two']],
  ])
})

describe('rules', () => {
  table([
    ['stand apart', 'one\n\n---\ntwo', ['one', '', ruled, '', 'two']],
    ['also of stars, with spaces', '* * *', [ruled]],
    ['within a quote are as long as there is room', '> ***', [`│ ${'─'.repeat(28)}`]],
  ])
})

describe('lists', () => {
  table([
    ['bullets', '- one\n* two\n+ three', ['• one', '• two', '• three']],
    ['hang', '- one two three four five six seven', ['• one two three four five six', '  seven']],
    ['numbers stand below each other', '9. one\n10. two', [' 9. one', '10. two']],
    ['numbers count on', '3) a\n3) b\n1) c', [' 3) a', ' 4) b', ' 5) c']],
    ['numbers that are left out mean something', '3. a\n7. b\n7. c', [' 3. a', ' 7. b', ' 8. c']],
    ['years', '2021. a\n      b\n2024. c', ['2021. a', '      b', '2024. c']],
    ['answers', '10. a\n20. b\n100. c d\ne', ['10. a', '20. b', '100. c d', '     e']],
    ['another list begins anew', '1. a\n2. b\n\ntext\n\n1. c', [' 1. a', ' 2. b', '', 'text', '', ' 1. c']],
    ['nested', '- a\n  - b\n    - c\n      - d\n- e', ['• a', '  ◦ b', '    ▪ c', '      • d', '• e']],
    ['numbers in bullets', '- a\n  1. b\n  2. c', ['• a', '   1. b', '   2. c']],
    ['bullets in numbers', '1. a\n   - b', [' 1. a', '    ◦ b']],
    ['tasks', '- [ ] a\n- [x] b\n- [X] c\n- [] d', ['☐ a', '☑ b', '☑ c', '• [] d']],
    ['numbered tasks', '1. [x] a', [' 1. ☑ a']],
    ['blank lines stay as they are', '- a\n\n- b\n- c', ['• a', '', '• b', '• c']],
    ['paragraphs of an item', '- a\n\n  b\n\nc', ['• a', '', '  b', '', 'c']],
    ['an item goes on without its indent', '- a\nb', ['• a', '  b']],
    ['a list after a text', 'text:\n- a', ['text:', '• a']],
    ['a number breaks a text off only if it is 1', 'in\n1984. b\n1. c', ['in', '1984. b', ' 1. c']],
    ['empty items', '-\n- b\n-', ['•', '• b', '•']],
    ['an item that begins on the next line', '-\n  a', ['• a']],
    ['two on one line', '- - a', ['• ◦ a']],
    ['no list', '-a\n1.5 b\n*c', ['-a', '1.5 b', '*c']],
    ['tabs', '-\ta\n\n\tb', ['• a', '', '  b']],
    ['code in an item', '- a\n  ```\n  b\n  ```\n- c', ['• a', '', '  b', '', '• c']],
    [
      'too deep for the terminal',
      Array.from({ length: 9 }, (_, depth) => `${'  '.repeat(depth)}- word word`).join('\n'),
      [
        '• word word',
        '  ◦ word word',
        '    ▪ word word',
        '      • word word',
        '        ◦ word word',
        ...['▪', '•', '◦', '▪'].map((bullet) => `        ${bullet} word word`),
      ],
      { columns: 20 },
    ],
  ])
})

describe('quotes', () => {
  table([
    ['have a bar', '> one\n> two', ['│ one', '│ two']],
    ['alerts', '> [!NOTE]\n> one', ['│ [!NOTE]', '│ one']],
    ['wrap behind it', '> one two three four five six seven', ['│ one two three four five six', '│ seven']],
    ['go on without it', '> one\ntwo', ['│ one', '│ two']],
    ['have blank lines', '> one\n>\n> two', ['│ one', '│', '│ two']],
    ['end at a blank line', '> one\n\n> two\n\nthree', ['│ one', '', '│ two', '', 'three']],
    ['in each other', '> one\n>> two\n>\n> three', ['│ one', '│ │ two', '│', '│ three']],
    ['with a list', '> - a\n>   b\n> - c', ['│ • a', '│   b', '│ • c']],
    ['in a list', '- > a\n  > b', ['• │ a', '  │ b']],
    ['with code', '> ```\n> a\n>   b\n> ```', ['│ a', '│   b']],
  ])
})

test('a hundred containers in each other are enough', async () => {
  const shown = await lines(`${'> '.repeat(102)}a\n${'>'.repeat(103)}b\n\nc`, { columns: 500 })
  expect(shown).toEqual([`${'│ '.repeat(100)}> > a`, `${'│ '.repeat(100)}>>>b`, '', 'c'])
})

describe('HTML and definitions', () => {
  table([
    ['tags are shown', 'a <b>c</b>', ['a <b>c</b>']],
    ['but line breaks break', 'a<br>b<BR/>c<br />d <br>', ['a', 'b', 'c', 'd']],
    ['empty lines too', 'a<br><br>b\n\n> c<br><br>d', ['a', '', 'b', '', '│ c', '│', '│ d']],
    ['in a heading', '# a<br>b', ['a', 'b']],
    ['lines of a block stay lines', '<div>\n<p>a *b*</p>\n</div>\n\n*c*', ['<div>', '<p>a *b*</p>', '</div>', '', 'c']],
    ['as they were written', '- a\n\n  <p>\n    b   *c*\n  </p>', ['• a', '', '  <p>', '    b   *c*', '  </p>']],
    ['an indent before the first', '  <p>\n <a>', ['  <p>', ' <a>']],
    ['a comment', '<!-- a -->', ['<!-- a -->']],
    ['text that begins with a tag', '<b>a *b*</b>\nc', ['<b>a b</b>', 'c']],
    ['a definition is seen', '[a]: http://b.c "d"', ['[a]: http://b.c "d"']],
    ['a footnote too', '[^1]: note', ['[^1]: note']],
    ['none within a text', 'a\n[b]: c', ['a', '[b]: c']],
  ])
})
