/** Input that is too large in the interactive chat: one clear line, and the chat goes on. */

import { rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { chat } from '../helpers/dialects.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { mebibyte, sparseFile } from '../helpers/large.ts'
import { wide } from '../helpers/terminal.ts'

test('/file and /edit', async () => {
  const limit = 'exceeds the limit of 64 MiB of input per request'
  const large = sparseFile(65 * mebibyte)
  const options = { columns: wide, folder: dirname(large), env: { EDITOR: 'truncate -s 65M' } }
  await using opened = await openChat([chat.streamed('Hello')], options)
  await opened.enter(`/file ${basename(large)}`)
  expect(opened.textBelow('› /file')).toBe(`syn: /file ${basename(large)}: ${limit}`)
  await opened.enter('/edit')
  const shown = opened.textBelow('› /edit')
  const [, folder = ''] = new RegExp(`^syn: the edited text (.*)/message\\.md: ${limit}$`).exec(shown) ?? [shown]
  rmSync(folder, { recursive: true })
  await opened.enter('still there?')
  expect(opened.sent().map(({ messages }) => messages)).toEqual([[chat.user('still there?')]])
})
