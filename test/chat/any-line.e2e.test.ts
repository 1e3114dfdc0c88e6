/** Whatever a line is, and whatever fails while it is handled: the chat goes on, and the message is sent or back in the line. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { faultSignal, withFileFaults } from '../helpers/file-faults.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'
import { wide } from '../helpers/terminal.ts'

const hello = dialect.streamed('Hello')

/** With a file, a link to itself, and a folder. */
function folder(): string {
  const path = emptyFolder()
  writeFileSync(join(path, 'file'), 'text')
  mkdirSync(join(path, 'folder'))
  return path
}

const rest = 'fails on my machine with a long message. '.repeat(8).trim()

test('a message that looks like a path is sent', async () => {
  await using chat = await openChat([hello], { folder: folder(), columns: wide, rows: 60 })
  for (const text of [
    // Longer than a name can be, and than a path can be.
    `~/configure ${rest}`,
    `./${'a/'.repeat(2500)}`,
    // Through a file.
    './file/below is missing',
    'file:///dev/null/x',
    './a\u0000b',
  ]) {
    const before = chat.sent().length
    chat.screen.type(`\u001b[200~${text}\u001b[201~\r`)
    await chat.screen.until((lines) => chat.sent().length > before && lines.at(-1) === '›')
    expect(chat.contents().at(-1)).toBe(text)
  }
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
      await chat.type(`\u0005\u0015${next}`, `› ${next}`)
      chat.screen.type('\r')
      await expect.poll(() => chat.contents().slice(before)).toContain(next)
      await chat.screen.until((lines) => lines.at(-1) === '›')
    }),
    { ...samples(30), endOnFailure: true },
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
    const isSent = (): boolean => chat.contents().at(-1) === text
    await chat.screen.until((lines) => isBack(lines) || (isSent() && lines.at(-1) === '›'))
    await chat.clear()
  }
  await chat.enter('last')
  expect(chat.contents().at(-1)).toBe('last')
})
