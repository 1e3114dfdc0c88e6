/** A Markdown text within another: what it holds can't be taken for what holds it. */

import fc from 'fast-check'
import { Lexer } from 'marked'
import { expect, test } from 'vitest'
import { conversationMarkdown } from '../../src/conversation/transcript.ts'
import { subordinate } from '../../src/conversation/demote-headings.ts'

test.each([
  ['nothing', 'Hi *there*', 'Hi *there*'],
  ['headings', '# A\n\ntext\n## B ##\n### C\n', '### A\n\ntext\n#### B\n##### C\n'],
  ['the deepest', '#### D\n##### E\n###### F', '###### D\n###### E\n###### F'],
  ['an underlined heading', 'A\n===\n\nB *b*\nb\n---\n', '### A\n\n#### B *b* b\n'],
  ['an empty heading', '#\n\nx', '###\n\nx'],
  ['code', '```sh\n# comment\n```\n\n    # code', '```sh\n# comment\n```\n\n    # code'],
  ['no heading', '#tag\n\n\\# A\n\n- # a\n\n> # q', '#tag\n\n\\# A\n\n- # a\n\n> # q'],
  ['a rule', 'a\n\n---\n\nb', 'a\n\n---\n\nb'],
  ['code without its end', '# A\n\n```sh\nls', '### A\n\n```sh\nls\n```'],
  ['a fence of code alone', '~~~~', '~~~~\n~~~~'],
  ['a fence with a tab behind it', '~~~\r\n~~~\t', '~~~\n~~~'],
  ['a fence in longer ones', '````\n```\n````', '````\n```\n````'],
  ['a shorter fence', '````\n```', '````\n```\n````'],
  ['a fence within a line of code', '```\na ```', '```\na ```\n```'],
  ['a comment without its end', 'a\n\n<!-- b', 'a\n\n<!-- b\n-->'],
  ['a tag without its end', '<pre>\nb', '<pre>\nb\n</pre>'],
  ['tags with their ends', '<PRE>\nb</pre>\n\n<!-- c -->', '<PRE>\nb</pre>\n\n<!-- c -->'],
  ['lines that end as on Windows', '# A\r\n\r\nb', '### A\n\nb'],
])('%s', (_what, text, shown) => {
  expect(subordinate(text, 2)).toBe(shown)
})

const marks = [
  '# ',
  '## ',
  '## User',
  '=',
  '===',
  '---',
  '```',
  '~~~',
  '<!--',
  '-->',
  '<pre>',
  '<div>',
  '<?',
  '<![CDATA[',
]
const others = ['> ', '- ', '1. ', '    ', '\t', '|', '|-|', '[a]: b', '`', '*', '\\', 'a', ' ', '\n', '\n\n', '\r\n']
const piece = fc.constantFrom(...marks, ...others, '\n')
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

test('whatever is said, the headings of an export are its title and who spoke', async () => {
  const property = fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), async (texts) => {
    const said = texts.map((one, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text: one }))
    const markdown = await conversationMarkdown('title', said, { isTerminal: false })
    const headings = new Lexer({ gfm: true })
      .blockTokens(markdown, [])
      .flatMap((token) => (token.type === 'heading' && token.depth <= 2 ? [token.text as string] : []))
    expect(headings).toEqual(['title', ...said.map(({ role }) => (role === 'user' ? 'User' : 'Assistant'))])
  })
  await fc.assert(property, { numRuns: 2000 })
})
