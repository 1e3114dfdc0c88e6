/** How each kind of block is shown, without colors. */

import { expect, test } from 'vitest'
import { lines, type Rendering } from '../../helpers/markdown.ts'

const ruled = '─'.repeat(30)

test.each<[title: string, markdown: string, shown: string[], rendering?: Rendering]>([
  // paragraphs
  ['wrap between words', 'one two three four five six seven', ['one two three four five six', 'seven']],
  ['lines stay lines', 'one\ntwo  three\n  four', ['one', 'two three', 'four']],
  ['front matter', '---\na: b\nc: d\n---\ne', [ruled, '', 'a: b', 'c: d', ruled, '', 'e']],
  ['a table without leading bars', 'a | b\n--|--\nc | d', ['a | b', '--|--', 'c | d']],
  ['two trailing spaces are removed', 'one  \ntwo', ['one', 'two']],
  // drawings and aligned columns
  [
    'a tree keeps its blanks',
    'src\n├── main.ts      # entry\n│   └── _a.ts    # part\n    └── __b__.py',
    ['src', '├── main.ts      # entry', '│   └── _a.ts    # part', '    └── __b__.py'],
  ],
  ['also in a list', '- a\n  ├── b\n      └── c   d', ['• a', '  ├── b', '      └── c   d']],
  ['blanks below blanks stay', 'a    b  c\n1    22 3\n10   2  3', ['a b c', '1    22 3', '10   2 3']],
  // An answer in alpaca_eval, with the table of its planets.
  [
    'columns of an answer',
    'Jupiter   | 69,911     | 1.8986\nSaturn    | 58,232     | 95.16',
    ['Jupiter | 69,911 | 1.8986', 'Saturn    | 58,232     | 95.16'],
    { columns: 40 },
  ],
  // headings
  ['have blank lines around them', 'one\n# Two\nthree', ['one', '', 'Two', '', 'three']],
  ['need a space', '#one', ['#one']],
  ['wrap', '# one two three four five six seven', ['one two three four five six', 'seven']],
  ['without styling keep their marks', '## One\n### Two', ['## One', '', '### Two'], { hasColor: false }],
  ['an underline is a rule', 'One\n---\ntwo', ['One', ruled, '', 'two']],
  ['a rule has blank lines around it', 'one\n\n---\ntwo', ['one', '', ruled, '', 'two']],
  // lists
  ['bullets', '- one\n* two\n+ three', ['• one', '• two', '• three']],
  ['hang', '- one two three four five six seven', ['• one two three four five six', '  seven']],
  ['numbers are aligned', '9. one\n10. two', [' 9. one', '10. two']],
  ['repeated numbers are counted up', '3) a\n3) b\n1) c', [' 3) a', ' 4) b', ' 5) c']],
  ['nested', '- a\n  - b\n    - c\n      - d\n- e', ['• a', '  ◦ b', '    ▪ c', '      • d', '• e']],
  ['tasks', '- [ ] a\n- [x] b\n- [X] c\n- [] d', ['☐ a', '☑ b', '☑ c', '• [] d']],
  ['blank lines are kept', '- a\n\n- b\n- c', ['• a', '', '• b', '• c']],
  ['an item continues without its indent', '- a\nb', ['• a', '  b']],
  ['only the number 1 interrupts a paragraph', 'in\n1984. b\n1. c', ['in', '1984. b', ' 1. c']],
  ['not a list', '-a\n1.5 b\n*c', ['-a', '1.5 b', '*c']],
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
  // quotes
  ['have a bar', '> one\n> two', ['│ one', '│ two']],
  ['wrap after the bar', '> one two three four five six seven', ['│ one two three four five six', '│ seven']],
  ['nested', '> one\n>> two\n>\n> three', ['│ one', '│ │ two', '│', '│ three']],
  ['with code', '> ```\n> a\n>   b\n> ```', ['│ a', '│   b']],
  // HTML and definitions
  ['tags are shown', 'a <b>c</b>', ['a <b>c</b>']],
  ['line breaks break the line', 'a<br>b<BR/>c<br />d <br>', ['a', 'b', 'c', 'd']],
  ['even empty lines', 'a<br><br>b\n\n> c<br><br>d', ['a', '', 'b', '', '│ c', '│', '│ d']],
  ['lines of a block stay lines', '<div>\n<p>a *b*</p>\n</div>\n\n*c*', ['<div>', '<p>a *b*</p>', '</div>', '', 'c']],
  ['as they were written', '- a\n\n  <p>\n    b   *c*\n  </p>', ['• a', '', '  <p>', '    b   *c*', '  </p>']],
  ['a definition is shown', '[a]: http://b.c "d"', ['[a]: http://b.c "d"']],
  ['not in a paragraph', 'a\n[b]: c', ['a', '[b]: c']],
  ['over two lines', '[a]:\n  /b "c"\n\nd', ['[a]:', '/b "c"', '', 'd']],
  ['a label without a URL', '[a]:\n\n[b]:\n# c', ['[a]:', '', '[b]:', '', 'c']],
  ['a line break alone', 'a\n\n<br>\n\n- b<br/>', ['a', '', '', '', '• b']],
  ['HTML ends at a fence', '<details>\n```js\na\n```', ['<details>', '', 'js', 'a']],
  ['a comment does not', '<!--\n```\n-->\nb', ['<!--', '```', '-->', 'b']],
])('%s', async (_title, markdown, shown, rendering) => {
  expect(await lines(markdown, { columns: 30, ...rendering })).toEqual(shown)
})

test('at most a hundred containers are nested', async () => {
  const shown = await lines(`${'> '.repeat(102)}a\n${'>'.repeat(103)}b\n\nc`, { columns: 500 })
  expect(shown).toEqual([`${'│ '.repeat(100)}> > a`, `${'│ '.repeat(100)}>>>b`, '', 'c'])
})
