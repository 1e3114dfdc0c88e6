/** A Markdown text embedded in a document: its content cannot be mistaken for that of the document. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeExport } from '../../src/conversation/export.ts'
import { demoteHeadings } from '../../src/conversation/markdown.ts'
import { BlockReader } from '../../src/terminal/markdown/block-reader.ts'
import { samples } from '../helpers/samples.ts'

test.each([
  ['headings', '# A\n\ntext\n## B ##\n### C\n', '### A\n\ntext\n#### B\n##### C\n'],
  ['an underlined heading', 'A\n===\n\nB *b*\nb\n---\n', '### A\n\n#### B *b* b\n'],
  ['code', '```sh\n# comment\n```\n\n    # code', '```sh\n# comment\n```\n\n    # code'],
  ['no heading', '#tag\n\n\\# A\n\n- # a\n\n> # q', '#tag\n\n\\# A\n\n- # a\n\n> # q'],
  ['code without its end', '# A\n\n```sh\nls', '### A\n\n```sh\nls\n```'],
  ['a fence with a tab behind it', '~~~\r\n~~~\t', '~~~\n~~~\t'],
  ['code in an item, which ends with it', '- ```\n  # a', '- ```\n  # a'],
  ['a fence in longer ones', '````\n```\n````', '````\n```\n````'],
  ['a comment without its end', 'a\n\n<!-- b', 'a\n\n<!-- b\n-->'],
  ['a tag without its end', '<pre>\nb', '<pre>\nb\n</pre>'],
  ['lines that end as on Windows', '# A\r\n\r\nb', '### A\n\nb'],
])('%s', async (_what, text, shown) => {
  expect(await demoteHeadings(text)).toBe(shown)
})

const marks = ['# ', '## User', '===', '---', '```', '~~~', '<!--', '-->', '<pre>', '<div>', '<![CDATA[']
const others = ['> ', '- ', '1. ', '    ', '\t', '|', '|-|', '[a]: b', '`', '*', '\\', 'a', ' ', '\n', '\n\n', '\r\n']
const piece = fc.constantFrom(...marks, ...others, '\n')
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

test('for any text, the headings of an export are its title and the roles', async () => {
  const property = fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), async (texts) => {
    const transcript = texts.map((one, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text: one }))
    let markdown = ''
    const write = async (part: string | Uint8Array): Promise<void> => void (markdown += String(part))
    const sink = { isTerminal: false, columns: () => 80, write } as const
    await writeExport(
      { lines: transcript, json: [] },
      { format: 'md', title: 'title' },
      sink,
      new AbortController().signal,
    )
    const headings = headingsOf(markdown).flatMap(({ depth, text }) => (depth <= 2 ? [text] : []))
    expect(headings).toEqual(['title', ...transcript.map(({ role }) => (role === 'user' ? 'User' : 'Assistant'))])
  })
  await fc.assert(property, samples(100))
})

/** The headings outside quotes and lists. */
function headingsOf(markdown: string): { depth: number; text: string }[] {
  const reader = new BlockReader({ isStrict: true })
  const headings: { depth: number; text: string }[] = []
  let paragraph: string[] = []
  for (const line of markdown.split('\n')) {
    for (const event of reader.take(line) ?? []) {
      if (event.kind === 'text') paragraph.push(event.text)
      else if (event.kind !== 'end' && event.kind !== 'underline') paragraph = []
      if (reader.depth > 0) continue
      if (event.kind === 'heading') headings.push(event)
      if (event.kind === 'underline') headings.push({ depth: event.depth, text: paragraph.join('\n') })
    }
  }
  return headings
}
