/** Tab completion of slash commands and their arguments. */

import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeWithConversations } from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { chatAnswer, events, json, type Answer } from '../../helpers/service.ts'
import { openChat } from '../../helpers/interactive-chat.ts'

const hello = events(chatAnswer(['Hel', 'lo']))
const models = json({ data: [{ id: 'hf:one/small' }, { id: 'hf:one/large' }] })
const service: Answer = (asked, response) => (asked.path.endsWith('/models') ? models : hello)(asked, response)

function home(): string {
  return homeWithConversations(
    { id: '20261121-101512-4f7a9c', name: 'my french', turns: [['one', 'un']] },
    { id: '20261122-101512-1f7a9c', turns: [['two', 'deux']] },
  )
}

function folder(): string {
  const path = emptyFolder()
  mkdirSync(join(path, 'notes'))
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(path, 'notes', name), '')
  return path
}

test.each<[typed: string, line: string, offered: string]>([
  ['/set reasoning_effort ', '/set reasoning_effort', 'low     medium  high'],
  ['/set stre', '/set stream_options', ''],
  ['/load ', '/load', 'my french               20261121-101512-4f7a9c  20261122-101512-1f7a9c'],
  ['/load 20261122', '/load 20261122-101512-1f7a9c', ''],
  ['/load my', '/load my french', ''],
  ['/model hf:', '/model hf:one/', 'small  large'],
  ['/file no', '/file notes/', 'a.txt  b.txt'],
  ['/system @no', '/system @notes/', 'a.txt  b.txt'],
  ['  /mod', '  /model', ''],
  ['  /raw ', '  /raw o', 'on   off'],
])('%j leads to %j', async (typed, line, offered) => {
  await using chat = await openChat([service], { folder: folder(), env: { HOME: home() } })
  const { screen } = chat
  screen.type(`${typed}\t`)
  await screen.until((lines) => lines.at(-1) === `› ${line}`)
  if (offered === '') return
  screen.type('\t\t')
  await screen.until((lines) => lines.some((one) => one.startsWith(offered)))
  expect(screen.lines().some((one) => one.trimEnd() === `› ${line}`)).toBe(true)
})
