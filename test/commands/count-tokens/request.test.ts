/** The request: a messages request without the fields that a count does not need. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AskingOptions } from '../../helpers/asking.ts'
import { countTokens, refusalOf, sentBy } from '../../helpers/count-tokens.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
const conversation = join(folder, 'conversation.json')
const before = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
]
writeFileSync(conversation, JSON.stringify(before))
const notes = join(folder, 'notes.txt')
writeFileSync(notes, 'Bring the figures.\n')
const tools = '[{"name":"weather","input_schema":{"type":"object"}}]'

const usual = { model: 'syn:large:text', messages: [{ role: 'user', content: 'hi' }] }

test.each<[argv: string[], sent: object]>([
  [['hi'], {}],
  [['--tools', tools, 'hi'], { tools: JSON.parse(tools) as unknown }],
  [['--messages', conversation, 'hi'], { messages: [...before, ...usual.messages] }],
  [['-p', 'thinking={"type":"enabled"}', 'hi'], { thinking: { type: 'enabled' } }],
])('%j', async (argv, sent) => {
  const { asked } = await countTokens(argv)
  const headers = { 'anthropic-version': '2023-06-01' }
  expect(asked).toMatchObject([{ method: 'POST', path: '/anthropic/v1/messages/count_tokens', headers }])
  expect(asked[0]?.json).toEqual({ ...usual, ...sent })
})

test.each<[argv: string[], options: AskingOptions]>([
  [['Summarize'], { stdin: 'A text.\n' }],
  [['-f', notes], {}],
  [['-f', notes, '-f', conversation], {}],
  [['-f', notes, '-i', 'https://a.example/1'], {}],
  [['-s', 'Be kind.', '--tools', tools, '--messages', conversation, 'And?'], {}],
])('is the one that syn messages would send: %j', async (argv, options) => {
  const { out } = await runSyn(['messages', '--dry-run', ...argv], options)
  const { max_tokens: _limit, stream: _stream, ...rest } = JSON.parse(out) as Record<string, unknown>
  expect(await sentBy(argv, options)).toEqual(rest)
})

test.each<[argv: string[], refusal: string]>([
  [['--max-tokens', '5', 'hi'], 'unknown option --max-tokens (use syn count-tokens --help to list the options)'],
  [['-p', 'messages=1', 'hi'], '--param messages: 1 is not accepted; expected an array'],
  [['--max', '-1', 'hi'], '--max: -1 is not accepted; expected a whole number, at least 0'],
])('is refused: %j', async (argv, refusal) => {
  expect(await refusalOf(argv)).toContain(refusal)
})
