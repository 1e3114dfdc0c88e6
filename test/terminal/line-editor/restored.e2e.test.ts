/** The terminal is restored however the program ends. */

import { describe, expect, test } from 'vitest'
import { environment } from '../../helpers/program.ts'
import { expectTerminalRestored, keyModesOn, status } from '../../helpers/shell.ts'
import type { Screen } from '../../helpers/terminal.ts'
import { share } from '../../helpers/samples.ts'
import { command, leave, send, startChat, type } from './program.ts'

/** How the program turned bracketed paste on (h) and off (l). */
function pasteModes(screen: Screen): string {
  return [...screen.written().matchAll(/\u001b\[\?2004([hl])/g)].map(([, mode]) => mode).join('')
}

/** What terminals answer to the question for the kitty protocol. */
const answers = [
  ['without the kitty protocol', '', 'modifyOtherKeys: 1 times on, 0 off'],
  ['with the kitty protocol', '\u001b[?0u', 'the kitty protocol: 1 times on, 0 off'],
] as const

async function restoredAfter(answer: string, mode: string, use: (screen: Screen) => Promise<void>): Promise<void> {
  const guest = { command: await command(), env: environment(), prompt: '>' }
  await expectTerminalRestored(guest, async (screen) => {
    screen.type(answer)
    if (answer !== '') await screen.until(() => screen.written().includes('\u001b[>c\u001b[?u'))
    screen.type(answer)
    await screen.until(() => keyModesOn(screen).join() === mode)
    await use(screen)
  })
}

describe.each(answers)('on a terminal %s, after', (what, answer, mode) => {
  const part = answers.findIndex(([name]) => name === what)

  const ends: [how: string, keys: string, code: number][] = [
    ['Ctrl-D', '\u0004', 0],
    ['SIGHUP', '/kill HUP\r', 129],
    ['SIGTERM', '/kill TERM\r', 143],
    ['a crash', '/crash\r', 1],
  ]
  test.each(share(ends, part, 2))('%s', async (_how, keys, code) => {
    await restoredAfter(answer, mode, async (screen) => {
      screen.type(keys)
      await status(screen, code)
    })
  })
})

test('Ctrl-Z restores it, and fg shows the line again', async () => {
  const [, [, answer, mode]] = answers
  await restoredAfter(answer, mode, async (screen) => {
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

test('after a signal, the typed text stays on the screen', async () => {
  const screen = await startChat({}, { asProcess: true })
  await type(screen, 'kept', '> kept')
  screen.kill('SIGTERM')
  expect(await screen.ended).toBe(143)
  expect(screen.lines()).toEqual(['> kept'])
  expect(pasteModes(screen)).toBe('hl')
})

test('without a shell that could resume it, Ctrl-Z does nothing', async () => {
  const screen = await startChat({}, { asProcess: true })
  await type(screen, 'text', '> text')
  screen.type('\u001a!')
  // The terminal is released and acquired again; text typed in between is echoed by the terminal.
  await screen.until((lines) => lines.at(-1) === '> text!' && pasteModes(screen) === 'hlh')
  expect(await leave(screen)).toBe(0)
})

test('on Windows, which suspends no program, Ctrl-Z does nothing, and the terminal is not released', async () => {
  const screen = await startChat({ TEST_PLATFORM: 'win32' })
  await type(screen, 'text', '> text')
  await type(screen, '\u001a!', '> text!')
  expect(await leave(screen)).toBe(0)
  expect(pasteModes(screen)).toBe('hl')
})
