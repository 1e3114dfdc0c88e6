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
  ['a table', 'a\n|b|\n|-|\n|c|\n\n|d|', 'text(a) . table(b) row(c) . blank text(|d|) .'],
  ['a row that is text', '|a|\n---', 'text(|a|) . underline2'],
  ['a fence below HTML', '<details>\n```js\na\n```', 'text(<details>) . fence(js) code(a) .'],
  ['a line break alone', 'a\n\n<br>\n\n- <br/>', 'text(a) . blank text(<br>) . blank <item> text(<br/>) . </>'],
])('%s', (_title, markdown, blocks) => {
  expect(blocksOf(markdown)).toBe(blocks)
})

test.each<[text: string, fence: string | undefined]>([
  ['~~~~\na', '~~~~'],
  ['```\n```', undefined],
  ['a', undefined],
])('the missing fence of %j', (text, fence) => {
  const reader = new BlockReader()
  for (const line of text.split('\n')) reader.take(line)
  expect(reader.missingFence).toBe(fence)
})

test('the beginning of a line is read if the rest cannot change its block', () => {
  const taken = (begun: string): boolean => new BlockReader().take(begun, false) !== undefined
  const known = ['a', '- a', '> a', '<b', '[a', '1.a', '##a']
  expect(known.filter(taken)).toEqual(known)
  expect(['', ' ', '-', '1', '#', '`', '```a', '|', '[', '[x]', '    a'].filter(taken)).toEqual([])
})
