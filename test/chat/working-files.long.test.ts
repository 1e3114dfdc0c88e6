/** The files that are offered after an `@` in a folder of many. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { chatCompleter } from '../../src/chat/completer.ts'
import { lineParser } from '../../src/chat/slash-commands/chat-line.ts'
import type { ChatState } from '../../src/chat/state.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

const previous = process.cwd()
afterAll(() => process.chdir(previous))

test('20,000 are offered; a key waits neither for the first list nor for the next', async () => {
  const root = emptyFolder()
  for (let folder = 0; folder < 201; folder++) {
    mkdirSync(join(root, `folder-${folder}`))
    for (let file = 0; file < 100; file++) writeFileSync(join(root, `folder-${folder}`, `some-file-${file}.ts`), '')
  }
  writeFileSync(join(root, '.gitignore'), '*.log\nnode_modules\n/dist/\n**/cache/*.tmp\n')
  process.chdir(root)
  let now = 0
  const context = { io: { elapsed: () => now } }
  const chat = { context, offeredFiles: new Set(), textMentions: new Set() } as unknown as ChatState
  const complete = chatCompleter(chat, lineParser(chat.context.io), new AbortController().signal)
  let turns = 0
  const counting = setInterval(() => turns++)
  await expect.poll(async () => (await complete('@', 1)?.candidates)?.length).toBe(20_000)
  clearInterval(counting)
  expect(turns).toBeGreaterThan(10)
  now += 5000
  for (const text of ['@', '@f', '@folder-21', '@folder-21/some-file-9'])
    expect(complete(text, text.length)?.candidates).toHaveLength(20_000)
})
