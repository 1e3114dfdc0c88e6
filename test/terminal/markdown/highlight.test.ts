/** The colors of code, which are left out where they would take long. */

import { expect, test } from 'vitest'
import { loadHighlighter } from '../../../src/terminal/markdown/highlight.ts'
import type { Theme } from '../../../src/terminal/markdown/theme.ts'

const theme = { syntax: (scope) => (text) => `<${scope}:${text}>` } as Theme

test.each([
  ['rust', '/* '.repeat(20)],
  ['javascript', '`${'.repeat(160)],
  ['bash', '$("'.repeat(160)],
])('comments in comments and strings in strings are not colored for ever: %s', async (name, line) => {
  const highlighter = await loadHighlighter(name, theme)
  const colored = Array.from({ length: 10 }, () => highlighter.line(line))
  expect(colored[0]).not.toBe(line)
  expect(colored.slice(-5)).toEqual(Array(5).fill(line))
})

test('code in parentheses without an end is colored, however long', async () => {
  const highlighter = await loadHighlighter('javascript', theme)
  const line = 'call(function (a = [1, '
  const colored = Array.from({ length: 40 }, () => highlighter.line(line))
  expect(colored.at(-1)).toContain('<keyword:function>')
})
