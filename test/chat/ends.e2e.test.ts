/** Ways to exit the chat. */

import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { chat as family } from '../helpers/families.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment } from '../helpers/program.ts'
import { synOnTerminal } from '../helpers/terminal.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { widths } from '../helpers/samples.ts'

const hello = family.streamed('Hello')

test('without a key the chat does not open', async () => {
  const screen = synOnTerminal(['chat'], environment())
  expect(await screen.ended).not.toBe(0)
  expect(screen.lines()[0]).toMatch(/^syn: /)
})

describe.each(widths)('at %d columns', (columns) => {
  test.each([
    ['Ctrl-D', '\u0004'],
    ['/exit', '/exit\r'],
    ['/quit', '/quit\r'],
  ])('%s exits with status 0', async (_title, keys) => {
    await using chat = await openChat([hello], { columns })
    chat.screen.type(keys)
    expect(await chat.screen.ended).toBe(0)
  })

  test('Ctrl-C at an empty line asks once, then exits', async () => {
    await using chat = await openChat([hello], { columns })
    chat.screen.type('text\u0003')
    await chat.screen.until((lines) => lines.at(-1) === '›')
    chat.screen.type('\u0003')
    await chat.screen.until((lines) => lines.at(-1) === 'press Ctrl-C again to exit')
    expect(chat.screen.lines().at(-2)).toBe('›')
    chat.screen.type('\u0003')
    expect(await chat.screen.ended).toBe(0)
  })

  test('Ctrl-C stops a command that is waiting for the service', async () => {
    const paced = new PacedAnswer()
    await using chat = await openChat([paced.answer], { columns })
    chat.screen.type('/quota\r')
    await paced.asked
    chat.screen.type('\u0003')
    await chat.screen.until((lines) => lines.includes('stopped') && lines.at(-1) === '›')
    await paced.closed
  })
})

test('with --no-save nothing is written to disk', async () => {
  await using chat = await openChat([hello], { argv: ['--no-save'] })
  await chat.enter('hi')
  chat.screen.type('\u0004')
  await chat.screen.ended
  expect(existsSync(`${chat.home}/.local`)).toBe(false)
})
