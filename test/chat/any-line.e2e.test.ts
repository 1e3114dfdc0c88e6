/** Whatever a line is, and whatever fails while it is handled: the chat goes on, and the message is sent or back in the line. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chat as family } from '../helpers/families.ts'
import { faultSignal, withFileFaults } from '../helpers/file-faults.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'
import { wide } from '../helpers/terminal.ts'

const hello = family.streamed('Hello')

function lastMessage(chat: InteractiveChat): unknown {
  return chat.sent().at(-1)?.messages.at(-1)?.content
}

/** With a file, a link to itself, and a folder. */
function folder(): string {
  const path = emptyFolder()
  writeFileSync(join(path, 'file'), 'text')
  mkdirSync(join(path, 'folder'))
  return path
}

describe('a message that looks like a path is sent', () => {
  const rest = 'fails on my machine with a long message. '.repeat(8).trim()
  test.each([
    ['longer than a name can be', `./configure ${rest}`],
    ['from the root', `/usr/local/bin/configure ${rest}`],
    ['from home', `~/configure ${rest}`],
    ['from the folder above', `../configure ${rest}`],
    ['longer than a path can be', `./${'a/'.repeat(2500)}`],
    ['through a file', './file/below is missing'],
    ['through a file, from the root', '/dev/null/x is missing'],
    ['a file URL through a file', 'file:///dev/null/x'],
  ])('%s', async (_what, text) => {
    await using chat = await openChat([hello], { folder: folder(), columns: wide })
    chat.screen.type(`\u001b[200~${text}\u001b[201~\r`)
    await chat.screen.until((lines) => lines.includes('Hello') && lines.at(-1) === '›')
    expect(lastMessage(chat)).toBe(text)
  })

  test('with a NUL', async () => {
    await using chat = await openChat([hello])
    chat.screen.type('\u001b[200~./a\u0000b\u001b[201~\r')
    await chat.screen.until((lines) => lines.includes('Hello') && lines.at(-1) === '›')
    expect(lastMessage(chat)).toBe('./a\u0000b')
  })

  test('when it was queued', async () => {
    const paced = family.paced()
    await using chat = await openChat([paced.answer, hello], { columns: wide })
    chat.screen.type('hi\r')
    await paced.send('One')
    chat.screen.type(`./configure ${rest}\r`)
    await paced.finish()
    await chat.screen.until((lines) => lines.includes('Hello') && lines.at(-1) === '›')
    expect(lastMessage(chat)).toBe(`./configure ${rest}`)
  })
})

test('random lines are sent, run or refused, and the chat goes on', async () => {
  const part = fc.constantFrom('/', './', '~/', '../', 'file:', 'a', '\u0000', '"', "'", '\\', ' ', '%', 'a/', '🦊')
  const line = fc.array(part, { minLength: 1, maxLength: 20 }).map((parts) => parts.join(''))
  const long = fc
    .tuple(line, fc.integer({ min: 0, max: 400 }))
    .map(([start, count]) => start + 'b'.repeat(count))
    // Which begins a message of several lines.
    .filter((text) => !text.endsWith('\\'))
  await using chat = await openChat([hello], { columns: wide, rows: 60, folder: folder() })
  let number = 0
  await fc.assert(
    fc.asyncProperty(long, async (text) => {
      const before = chat.sent().length
      chat.screen.type(`\u001b[200~${text}\u001b[201~\r`)
      // What is typed before the line is refused would wait above the line.
      const next = `next${++number}`
      chat.screen.type(`\u0005\u0015${next}`)
      await chat.screen.until((lines) => lines.at(-1) === `› ${next}`)
      chat.screen.type('\r')
      await expect
        .poll(() =>
          chat
            .sent()
            .slice(before)
            .map(({ messages }) => messages.at(-1)?.content),
        )
        .toContain(next)
      await chat.screen.until((lines) => lines.at(-1) === '›')
    }),
    { ...samples(40), endOnFailure: true },
  )
})

test('a failure of any call into the file system neither ends the chat nor loses a message', async () => {
  await using chat = await openChat([hello], { env: withFileFaults(), folder: folder(), columns: wide, rows: 60 })
  await chat.enter('first')
  for (let call = 1; call <= 30; call++) {
    chat.screen.kill(faultSignal)
    const text = `./file${call} is missing`
    chat.screen.type(`${text}\r`)
    const isBack = (lines: readonly string[]): boolean => lines.at(-1) === `› ${text}`
    const isSent = (): boolean => lastMessage(chat) === text
    await chat.screen.until((lines) => isBack(lines) || (isSent() && lines.at(-1) === '›'))
    await chat.clear()
  }
  await chat.enter('last')
  expect(lastMessage(chat)).toBe('last')
})
