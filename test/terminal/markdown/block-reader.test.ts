/** The block structure of Markdown (CommonMark 4 and 5, GFM 4.10). */

import { expect, test } from 'vitest'
import { BlockReader, type BlockEvent } from '../../../src/terminal/markdown/block-reader.ts'

/** One word for each event, with its text. */
function blocksOf(markdown: string): string {
  const reader = new BlockReader()
  const events = markdown.split('\n').flatMap((line) => reader.take(line) ?? [])
  return [...events, ...reader.close()].map(word).join(' ')
}

function word(event: BlockEvent): string {
  switch (event.kind) {
    case 'open':
      return event.container.kind === 'quote' ? '<quote>' : '<item>'
    case 'close':
      return '</>'
    case 'end':
      return '.'
    case 'heading':
      return `h${event.depth}(${event.text})`
    case 'underline':
      return `underline${event.depth}`
    case 'fence':
      return `fence(${event.info})`
    case 'table':
      return `table(${event.header.join('|')})`
    case 'row':
      return `row(${event.cells.join('|')})`
    case 'blank':
    case 'rule':
      return event.kind
    case 'text':
    case 'code':
    case 'indented':
    case 'html':
    case 'definition':
      return `${event.kind}(${event.text})`
  }
}

test.each<[title: string, markdown: string, blocks: string]>([
  ['headings', '# a #\nb\nc\n===\nd\n---', 'h1(a) text(b) text(c) . underline1 text(d) . underline2'],
  ['a rule is not an underline', 'a\n\n---\n> b\n---', 'text(a) . blank rule <quote> text(b) . </> rule'],
  ['a fence ends with its quote', '> ```sh\n> a\nb', '<quote> fence(sh) code(a) . </> text(b) .'],
  ['a fence ends with the next item', '- ```sh\n  a\n- b', '<item> fence(sh) code(a) . </> <item> text(b) . </>'],
  [
    'code that is indented less than its item',
    '1. a\n   ```sh\nb\n\n # c\n```\nd',
    '<item> text(a) . fence(sh) code(b) code() code( # c) . </> text(d) .',
  ],
  ['a closing fence that is not indented', '- ```\n  a\n```\nb', '<item> fence() code(a) . </> text(b) .'],
  ['an open fence', '```\n# a', 'fence() code(# a) .'],
  [
    'indented code, not in a paragraph',
    '    a\n\n    b\n\nc\n    d',
    'indented(a) indented() indented(b) . blank text(c) text(d) .',
  ],
  ['lazy lines', '> - a\nb\n# c', '<quote> <item> text(a) text(b) . </> </> h1(c)'],
  ['an empty item ends at a second empty line', '-\n\n  a', '<item> </> blank text(a) .'],
  ['a list that may not interrupt a paragraph', 'a\n2. b\n1. c', 'text(a) text(2. b) . <item> text(c) . </>'],
  ['a definition starts a paragraph', '[a]: b\n    c\n===', 'definition([a]: b) text(c) . underline1'],
  [
    'a definition over two lines',
    '[a]:\n  /b "c"\n\n> [d]:\n> #e',
    'definition([a]:\n/b "c") blank <quote> definition([d]:\n#e) </>',
  ],
  [
    'a label without a URL',
    '[a]:\n\n[b]:\n# c\n[d]:\ne f',
    'text([a]:) . blank text([b]:) . h1(c) text([d]:) text(e f) .',
  ],
  ['a label before a word, or a row', '[a]:\nb\n\n[c]:\n|-|', 'text([a]:) text(b) . blank text([c]:) text(|-|) .'],
  ['a label in a paragraph', 'a\n[b]:\nc', 'text(a) text([b]:) text(c) .'],
  ['a title with escaped quotes', '[a]: b "c \\"d\\""', 'definition([a]: b "c \\"d\\"")'],
  ['a table', 'a\n|b|\n|-|\n|c|\n\n|d|', 'text(a) . table(b) row(c) . blank text(|d|) .'],
  ['a row that is text', '|a|\n---', 'text(|a|) . underline2'],
  ['HTML up to a fence', '<details>\n```js\na\n```', 'html(<details>) . fence(js) code(a) .'],
  ['a comment is HTML up to its end', '<!--\n```\n-->', 'html(<!--) html(```) html(-->) .'],
  ['a line break alone', 'a\n\n<br>\n\n- <br/>', 'text(a) . blank text(<br>) . blank <item> text(<br/>) . </>'],
  ['HTML up to a blank line', '<div>\n# a\n\n# b', 'html(<div>) html(# a) . blank h1(b)'],
  ['HTML up to its end', '<!-- a\n\n# b -->\n# c', 'html(<!-- a) html() html(# b -->) . h1(c)'],
  ['a tag alone', '<b>\n*a*\n\nc\n<b>', 'html(<b>) html(*a*) . blank text(c) text(<b>) .'],
  ['a tag that is not alone', '<b> a\n===\n<http://a.b>', 'text(<b> a) . underline1 text(<http://a.b>) .'],
])('%s', (_title, markdown, blocks) => {
  expect(blocksOf(markdown)).toBe(blocks)
})

test.each<[text: string, end: string | undefined]>([
  ['~~~~\na', '~~~~'],
  ['<PRE>\na', '</PRE>'],
  ['<!-- a', '-->'],
  ['<?a', '?>'],
  ['<![CDATA[', ']]>'],
  ['<!a', '>'],
  ['<div>', undefined],
  ['```\n```', undefined],
  ['a', undefined],
])('the missing end of %j', (text, end) => {
  const reader = new BlockReader()
  for (const line of text.split('\n')) reader.take(line)
  expect(reader.missingEnd).toBe(end)
})

test('the beginning of a line is read if the rest cannot change its block', () => {
  const taken = (begun: string): boolean => new BlockReader().take(begun, false) !== undefined
  expect(['a', '- a', '> a', '<b>c', '[a', '1.a', '##a'].filter(taken)).toEqual([
    'a',
    '- a',
    '> a',
    '<b>c',
    '1.a',
    '##a',
  ])
  expect(['', ' ', '-', '1', '#', '`', '```a', '|', '<', '<b', '<b>', '<!', '[a]:', '    a'].filter(taken)).toEqual([])
})
