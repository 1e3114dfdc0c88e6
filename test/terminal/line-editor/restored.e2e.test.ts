/** The terminal is restored, however the program ends. */

import { describe, expect, test } from 'vitest'
import { environment } from '../../helpers/program.ts'
import { status, unchanged } from '../../helpers/shell.ts'
import type { Screen } from '../../helpers/terminal.ts'
import { command, leave, send, startChat, type } from './program.ts'

/** Bracketed paste as the program turned it on and off. */
function pasteModes(screen: Screen): string {
  return [...screen.written().matchAll(/\u001b\[\?2004([hl])/g)].map(([, mode]) => mode).join('')
}

const happening = (happens: (screen: Screen) => Promise<void>): Promise<Screen> =>
  unchanged({ command, env: environment(), prompt: '>' }, happens)

describe('after', () => {
  test.each<[how: string, keys: string, code: number]>([
    ['Ctrl-D', '\u0004', 0],
    ['Ctrl-C twice', 'text\u0003\u0003\u0003', 0],
    ['a crash', '/crash\r', 1],
  ])('%s', async (_how, keys, code) => {
    await happening(async (screen) => {
      screen.type(keys)
      await status(screen, code)
    })
  })

  test.each<[signal: string, code: number]>([
    ['TERM', 143],
    ['HUP', 129],
    ['INT', 130],
  ])('SIG%s', async (signal, code) => {
    await happening(async (screen) => {
      screen.type(`/kill ${signal}\r`)
      await status(screen, code)
    })
  })

  test('Ctrl-Z, and the line is there again after fg', async () => {
    await happening(async (screen) => {
      await type(screen, 'to be kept', '> to be kept')
      screen.type('\u001a')
      await screen.until((lines) => lines.some((line) => line.includes('Stopped')))
      expect(screen.lines().some((line) => line.includes('> to be kept'))).toBe(false)
      await type(screen, 'fg\r', '> to be kept')
      await send(screen, '!')
      expect(screen.lines()).toContain('"to be kept!"')
      screen.type('\u0004')
      await screen.until((lines) => lines.includes('bye'))
    })
  })
})

test('bracketed paste is turned off at the end, also of a crash', async () => {
  const left = await startChat()
  expect(await leave(left)).toBe(0)
  expect(pasteModes(left)).toBe('hl')
  const crashed = await startChat()
  crashed.type('/crash\r')
  expect(await crashed.ended).toBe(1)
  expect(pasteModes(crashed)).toBe('hl')
})

test('the signal that ends the run leaves what was typed on the screen', async () => {
  const screen = await startChat()
  await type(screen, 'kept', '> kept')
  screen.kill('SIGTERM')
  expect(await screen.ended).toBe(143)
  expect(screen.lines()).toEqual(['> kept'])
  expect(pasteModes(screen)).toBe('hl')
})

test('Ctrl-C at an empty line asks once', async () => {
  const screen = await startChat()
  await type(screen, 'text', '> text')
  await type(screen, '\u0003', '>')
  await type(screen, '\u0003', 'press Ctrl-C again to leave')
  await type(screen, 'x', '> x')
  await type(screen, '\u0003', '>')
  await type(screen, '\u0003', 'press Ctrl-C again to leave')
  screen.type('\u0003')
  expect(await screen.ended).toBe(0)
  expect(screen.lines()).toEqual(['bye'])
})

test('where nobody could let it go on, Ctrl-Z does nothing', async () => {
  const screen = await startChat()
  await type(screen, 'text', '> text')
  screen.type('\u001a!')
  // Given away and taken back: what is typed in between is the terminal's.
  await screen.until((lines) => lines.at(-1) === '> text!' && pasteModes(screen) === 'hlh')
  expect(await leave(screen)).toBe(0)
})
