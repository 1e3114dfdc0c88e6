/** Keys as terminals send them, on a pseudo-terminal. */

import { expect, test } from 'vitest'
import { leave, startChat, type } from './program.ts'

test('Shift+Enter starts a new line', async () => {
  const screen = await startChat()
  await type(screen, 'one\u001b[27;2;13~two', '  two')
  await type(screen, '\r', '>')
  expect(screen.lines()).toContain('"one\\ntwo"')
  expect(await leave(screen)).toBe(0)
})

test('after the kitty protocol was asked for, its keys do what the others did', async () => {
  const screen = await startChat()
  screen.type('\u001b[?0u')
  await screen.until(() => screen.written().includes('\u001b[>c'))
  screen.type('\u001b[>41;379;0c\u001b[?0u')
  await type(screen, 'one two', '> one two')
  // Ctrl+W, Ctrl+A, Ctrl+С of a Cyrillic keyboard, Ctrl+D
  await type(screen, '\u001b[119;5u', '> one')
  await type(screen, '\u001b[97;5ux', '> xone')
  await type(screen, '\u001b[1089::99;5u', '>')
  screen.type('\u001b[100;5u')
  expect(await screen.ended).toBe(0)
})
