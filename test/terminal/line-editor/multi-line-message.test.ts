/** When Enter sends a message, and when it continues it. */

import { expect, test } from 'vitest'
import { startEditing } from '../../../src/terminal/line-editor/editing.ts'
import { withoutTripleQuotes, applyInput, startLine } from '../../../src/terminal/line-editor/line-state.ts'
import { marked } from './marked.ts'

test.each<[text: string, sent: string]>([
  ['hello', 'hello'],
  ['two\nlines', 'two\nlines'],
  ['ends in \\\\', 'ends in \\\\'],
  ['"""one line"""', 'one line'],
  ['"""\na\n\nb\n"""', 'a\n\nb'],
  [' """a\nb""" ', 'a\nb'],
  ['say """this"""', 'say """this"""'],
  ['"""Docs."""\ncode()', '"""Docs."""\ncode()'],
  ['"""A."""\nx\n"""B."""', '"""A."""\nx\n"""B."""'],
])('%j is sent as %j', (text, sent) => {
  const { effect, line } = applyInput(startLine(startEditing(text), []), { kind: 'key', name: 'return' })
  expect([effect, withoutTripleQuotes(line.editor.text)]).toEqual(['send', sent])
})

test.each<[text: string, after: string]>([
  ['goes on\\', 'goes on\n|'],
  ['three\\\\\\', 'three\\\\\n|'],
  ['"""', '"""\n|'],
  ['"""\na', '"""\na\n|'],
  ['"""\na\\', '"""\na\\\n|'],
  ['', '|'],
  [' \n', ' \n|'],
])('%j is not sent', (text, after) => {
  const { effect, line } = applyInput(startLine(startEditing(text), []), { kind: 'key', name: 'return' })
  expect(effect).toBeUndefined()
  expect(marked(line.editor)).toBe(after)
})
