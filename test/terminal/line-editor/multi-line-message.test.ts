/** When Enter sends a message, and when it continues it. */

import { expect, test } from 'vitest'
import { startEditing } from '../../../src/terminal/line-editor/editing.ts'
import { applyInput, startLine } from '../../../src/terminal/line-editor/line-state.ts'
import { marked } from './marked.ts'

test.each(['hello', 'two\nlines', 'ends in \\\\', '"""'])('%j is sent', (text) => {
  const { effect, line } = applyInput(startLine(startEditing(text), []), { kind: 'key', name: 'return' })
  expect([effect, line.editor.text]).toEqual(['send', text])
})

test.each<[text: string, after: string]>([
  ['goes on\\', 'goes on\n|'],
  ['three\\\\\\', 'three\\\\\n|'],
  ['', '|'],
  [' \n', ' \n|'],
])('%j is not sent', (text, after) => {
  const { effect, line } = applyInput(startLine(startEditing(text), []), { kind: 'key', name: 'return' })
  expect(effect).toBeUndefined()
  expect(marked(line.editor)).toBe(after)
})
