/** Input that is too large in the interactive chat: one clear line, and the chat goes on. */

import { rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { chat } from '../helpers/families.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { mebibyte, sparseFile } from '../helpers/large.ts'
import { wide } from '../helpers/terminal.ts'

const limit = 'exceeds the limit of 64 MiB of input per request'
const large = sparseFile(65 * mebibyte)

/** Opens a chat wide enough for each error to be one line. */
function open(env: Record<string, string> = {}): Promise<InteractiveChat> {
  return openChat([chat.streamed('Hello')], { columns: wide, folder: dirname(large), env })
}

async function expectAnswer(opened: InteractiveChat): Promise<void> {
  await opened.enter('still there?')
  expect(opened.screen.lines()).toContain('Hello')
  expect(opened.sent().at(-1)?.messages).toEqual([chat.user('still there?')])
}

test.each(['/file', '/image'])('%s', async (command) => {
  await using opened = await open()
  await opened.enter(`${command} ${basename(large)}`)
  expect(opened.linesBelow(`› ${command}`)).toEqual([`syn: ${command} ${basename(large)}: ${limit}`, ''])
  await expectAnswer(opened)
})

test('/edit', async () => {
  await using opened = await open({ EDITOR: 'truncate -s 65M' })
  await opened.enter('/edit')
  expect(opened.linesBelow('› /edit')).toEqual([
    expect.stringMatching(/^syn: the edited text .*message\.md: exceeds the limit of 64 MiB of input per request$/),
    '',
  ])
  const [, folder = ''] = /text (.*)\/message\.md/.exec(opened.linesBelow('› /edit')[0] ?? '') ?? []
  rmSync(folder, { recursive: true })
  await expectAnswer(opened)
})
