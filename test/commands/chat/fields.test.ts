/** Every field of section 2.1 is sent with the right type, from flags only. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat, sentBy } from '../../helpers/chat.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { sentFields, specifiedFields, withPlainFields } from '../../helpers/specification.ts'

const toolsFile = 'test/fixtures/chat-tools.json'
const tools = JSON.parse(readFileSync(toolsFile, 'utf8')) as unknown
const messagesFile = join(emptyFolder(), 'messages.json')
const before = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
]
writeFileSync(messagesFile, JSON.stringify(before))
const named = { type: 'function', function: { name: 'weather' } }

const rows = withPlainFields('2.1', [
  ['messages', ['--messages', messagesFile], [...before, { role: 'user', content: 'hi' }]],
  ['model', ['--model', 'hf:zai-org/GLM-4.7'], 'hf:zai-org/GLM-4.7'],
  ['frequency_penalty', ['--frequency-penalty', '-0.5'], -0.5],
  ['logit_bias', ['--logit-bias', '{"42": -100, "7": 3.5}'], { 42: -100, 7: 3.5 }],
  ['logprobs', ['--logprobs'], true],
  ['logprobs', ['--no-logprobs'], false],
  ['logprobs', ['--logprobs=5'], 5],
  ['max_tokens', ['--max-tokens', '0'], 0],
  ['min_p', ['--min-p', '.05'], 0.05],
  ['parallel_tool_calls', ['--parallel-tool-calls'], true],
  ['parallel_tool_calls', ['--no-parallel-tool-calls'], false],
  ['reasoning_effort', ['--reasoning-effort', 'high'], 'high'],
  ['response_format', ['--response-format', '{"type":"text"}'], { type: 'text' }],
  ['response_format', ['--json-object'], { type: 'json_object' }],
  ['seed', ['--seed', '-1'], -1],
  ['stop', ['--stop', 'END'], 'END'],
  ['stop', ['--stop', 'one', '--stop', 'two'], ['one', 'two']],
  ['stream', ['--no-stream'], false],
  ['stream_options', ['--stream-options', '{"include_usage":true}'], { include_usage: true }],
  ['temperature', ['--temperature', '0'], 0],
  ['tool_choice', ['--tool-choice', 'none'], 'none'],
  ['tool_choice', ['--tool-choice', 'tool:weather'], named],
  ['tools', ['--tools', `@${toolsFile}`], tools],
  ['user', ['--user', '007'], '007'],
  ['function_call', ['--function-call', 'auto'], 'auto'],
  ['function_call', ['--function-call', '{"name":"weather"}'], { name: 'weather' }],
  ['functions', ['--functions', '[{"name":"weather"}]'], [{ name: 'weather' }]],
])

test.each(rows)('%s from %j', async (field, words, value) => {
  // Quiet: deprecated fields print a notice.
  expect(await sentBy([...words, '--quiet', 'hi'])).toEqual({
    model: 'syn:large:text',
    messages: [{ role: 'user', content: 'hi' }],
    stream: true,
    [field]: value,
  })
})

test('the flags cover the table of the specification, with each allowed type', () => {
  const sent = rows.map(([field, , value]) => [field, value] as const)
  expect(sentFields('2.1', sent)).toEqual(specifiedFields('2.1'))
})

test('a field without a flag is not sent', async () => {
  const { asked } = await chat(['hi'])
  expect(asked[0]?.body).toBe('{"model":"syn:large:text","messages":[{"role":"user","content":"hi"}],"stream":true}')
})

test("a flag with an optional value leaves the next word to the prompt, also another command's name", async () => {
  const messages = [{ role: 'user', content: 'complete' }]
  expect(await sentBy(['--logprobs', 'complete'])).toMatchObject({ logprobs: true, messages })
})

test('all fields at once: no combination is refused', async () => {
  const words = rows.filter(([field, [flag]]) => field !== 'response_format' || flag === '--json-object')
  const body = await sentBy([...words.flatMap(([, flags]) => flags), '--quiet', 'hi'])
  expect(Object.keys(body).toSorted()).toEqual([...new Set(rows.map(([field]) => field))].toSorted())
})

test.each([
  ['--function-call', 'auto', '--tool-choice'],
  ['--functions', '[{"name":"weather"}]', '--tools'],
])('%s works, with a notice', async (flag, value, instead) => {
  const { code, out, err } = await chat([flag, value, 'hi'])
  expect({ code, out, err }).toEqual({ code: 0, out: 'Hello\n', err: `syn: ${flag} is deprecated: use ${instead}\n` })
})
