/** Every field of section 2.4 on the wire, from flags alone, with the right type. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { messages, sentBy } from '../../helpers/messages.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { sentFields, specifiedFields } from '../../helpers/specification.ts'

const toolsFile = 'test/fixtures/messages-tools.json'
const tools = JSON.parse(readFileSync(toolsFile, 'utf8')) as unknown
const folder = emptyFolder()
const messagesFile = join(folder, 'messages.json')
const before = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
]
writeFileSync(messagesFile, JSON.stringify(before))
const styleFile = join(folder, 'style.md')
writeFileSync(styleFile, 'Be kind.\nBe brief.\n')

type Row = [field: string, words: string[], value: unknown]

const rows: Row[] = [
  ['model', ['--model', 'hf:zai-org/GLM-4.7'], 'hf:zai-org/GLM-4.7'],
  ['max_tokens', ['--max-tokens', '200'], 200],
  ['messages', ['--messages', messagesFile], [...before, { role: 'user', content: 'hi' }]],
  ['stream', ['--stream'], true],
  ['stream', ['--no-stream'], false],
  ['system', ['--system', 'Be kind.'], 'Be kind.'],
  [
    'system',
    ['-s', `@${styleFile}`, '-s', 'Answer in French.'],
    [
      { type: 'text', text: 'Be kind.\nBe brief.' },
      { type: 'text', text: 'Answer in French.' },
    ],
  ],
  ['stop_sequences', ['--stop-sequences', 'one', '--stop-sequences', 'two'], ['one', 'two']],
  // The specification gives the sampling fields of this dialect no range.
  ['temperature', ['--temperature', '7'], 7],
  ['tool_choice', ['--tool-choice', 'auto'], { type: 'auto' }],
  ['tool_choice', ['--tool-choice', 'tool:weather'], { type: 'tool', name: 'weather' }],
  [
    'tool_choice',
    ['--tool-choice', '{"type":"auto","disable_parallel_tool_use":true}'],
    { type: 'auto', disable_parallel_tool_use: true },
  ],
  ['tools', ['--tools', `@${toolsFile}`], tools],
  ['top_k', ['--top-k', '40'], 40],
  ['top_p', ['--top-p', '0.9'], 0.9],
]

const usual = {
  model: 'syn:large:text',
  max_tokens: 8192,
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
}

test.each(rows)('%s from %j', async (field, words, value) => {
  expect(await sentBy([...words, 'hi'])).toEqual({ ...usual, [field]: value })
})

test('the flags cover the table of the specification, each with each type it allows', () => {
  expect(specifiedFields('2.4')).toHaveLength(11)
  const sent = rows.map(([field, , value]) => [field, value] as const)
  expect(sentFields('2.4', sent)).toEqual(specifiedFields('2.4'))
})

test('a field without a flag is not sent, unless it is required', async () => {
  const { asked } = await messages(['hi'])
  expect(asked[0]?.body).toBe(
    '{"model":"syn:large:text","max_tokens":8192,"messages":[{"role":"user","content":"hi"}],"stream":true}',
  )
})

test('all fields at once: no combination is refused', async () => {
  const body = await sentBy([...rows.flatMap(([, words]) => words), 'hi'])
  expect(Object.keys(body).toSorted()).toEqual(
    specifiedFields('2.4')
      .map(([field]) => field)
      .toSorted(),
  )
})

test('max_tokens has a default, which --help names and --dry-run shows', async () => {
  expect((await runSyn(['messages', '--help'], { columns: 200 })).out).toMatch(/--max-tokens N .*default: 8192/)
  expect(JSON.parse((await runSyn(['messages', '--dry-run', 'hi'])).out)).toEqual(usual)
})

describe('the request', () => {
  test('has the headers of its dialect', async () => {
    const { asked } = await messages(['hi'])
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/anthropic/v1/messages',
      headers: { 'anthropic-version': '2023-06-01', authorization: expect.stringMatching(/^Bearer sk-/) as string },
    })
  })

  test('printed by --dry-run is the same with --body', async () => {
    const argv = ['-s', 'a', '-s', 'b', '--tools', `@${toolsFile}`, '--tool-choice', 'tool:weather', 'hi']
    const { out } = await runSyn(['messages', ...argv, '--dry-run', '-q'])
    const { asked } = await messages(['--body', '-', '-q'], { stdin: out })
    expect(asked[0]?.json).toEqual(JSON.parse(out))
  })
})
