/** The list of slash commands and their arguments. */

import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { homeWithConversations } from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { chatAnswer, events, json, type Answer } from '../../helpers/service.ts'
import { openChat } from '../../helpers/interactive-chat.ts'

const hello = events(chatAnswer(['Hel', 'lo']))
const models = json({
  data: [
    { id: 'hf:one/small', context_length: 128_000, pricing: { prompt: '0.00000055', completion: '0.000002' } },
    { id: 'hf:one/large' },
    { id: 'syn:large:text', hugging_face_id: 'hf:one/large' },
  ],
})
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
  for (const name of ['notes/a.txt', 'notes/b.txt', '.hidden', 'tab\ttab\n\u001b.txt'])
    writeFileSync(join(path, name), '')
  return path
}

test.each<[typed: string, listed: string[], line: string]>([
  ['/set reasoning_effort ', ['  low', '  medium', '  high'], '/set reasoning_effort low'],
  ['/load 20261122', ['  two'], '/load 20261122-101512-1f7a9c'],
  ['/load my', ['  my french'], '/load my french'],
  ['/model one/l', ['  hf:one/large'], '/model hf:one/large'],
  ['/file no', ['  notes/'], '/file notes/'],
  ['/file ', ['  notes/', '  tab tab ␛.txt'], '/file notes/'],
  ['/file .', ['  .hidden'], '/file .hidden'],
  ['  /mod', ['  /model'], '  /model'],
])('%j lists %j, and Tab takes the first', async (typed, listed, line) => {
  await using chat = await openChat([service], { folder: folder(), env: { HOME: home() } })
  const { screen } = chat
  screen.type(typed)
  const names = (lines: string[]): string[] =>
    lines.slice(lines.indexOf(`› ${typed}`.trimEnd()) + 1).map((one) => one.replace(/(\S) {2,}.*/, '$1'))
  await screen.until((lines) => isDeepStrictEqual(names(lines).slice(0, listed.length), listed))
  screen.type('\t')
  await screen.until((lines) => lines.some((one) => one === `› ${line}`))
})

test.each<[what: string, typed: string, row: string]>([
  ['age and length of a conversation', '/load my', '  my french  2 d ago · 1 message'],
  ['length and price of a model', '/model small', '  hf:one/small      128k context · $0.55/M in · $2.00/M out'],
  ['what an alias points to', '/model syn:large:t', '  syn:large:text  current · hf:one/large'],
  ['the help of a field', '/set see', '  seed  Seed for reproducible answers'],
])('the list has %s', async (_what, typed, row) => {
  await using chat = await openChat([service], { env: { HOME: home() } })
  chat.screen.type(typed)
  await chat.screen.until((lines) => lines.some((line) => line.startsWith(row.replace(/\d+ d ago.*/, ''))))
  expect(chat.screen.lines().map((line) => line.replace(/\d+ d (\d+ h )?ago/, '2 d ago'))).toContain(row)
})
