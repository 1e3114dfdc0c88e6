/** Calls that a model wrote as text: they are run as any, and go back as calls. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { streamed, whole } from '../../helpers/chat-chunks.ts'
import { fixture } from '../../helpers/fixtures.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { type Asked, events, startService } from '../../helpers/service.ts'
import { texts, toolsFile } from '../../helpers/tools.ts'

const file = toolsFile({ tools: { weather: { command: ['printf', '+7'], parameters: texts('city') } } })
const spelled = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
const PATH = process.env.PATH ?? ''

function sent(asked: Asked[], at: number): unknown {
  return (asked[at]?.json as { messages: unknown[] } | undefined)?.messages.slice(1)
}

test.each([
  ['called-as-text', 'Let me look.\n'],
  ['called-as-text-json', ''],
  ['called-as-text-kimi2', ''],
  ['called-as-text-qwen', ''],
])('%s: the tool runs, and the next request has its call', async (name, content) => {
  await using service = await startService(events(fixture(name, 'no-answer').toString()), streamed('Yes.'))
  const argv = ['chat', '-m', 'hf:a/b', '--tools-file', file, '--allow', 'weather', 'Coats?']
  const { code, out, err } = await runSyn(argv, { env: { ...service.env, PATH } })
  expect(code).toBe(0)
  expect(out).toBe('Yes.\n')
  expect(err).toContain('syn: weather {"city":"Oslo"')
  expect(err).not.toMatch(/<\||<tool_call>/)
  expect(sent(service.asked, 1)).toMatchObject([
    { role: 'assistant', content, tool_calls: [{ id: 'call_0', function: { name: 'weather' } }] },
    { role: 'tool', tool_call_id: 'call_0', content: '+7' },
  ])
})

test('not streamed, of a tool that nobody offered: the model gets to know', async () => {
  const call = spelled.replace('weather', 'time')
  await using service = await startService(whole({ content: call }), whole({ content: 'Yes.' }))
  const argv = ['chat', '-m', 'hf:a/b', '--no-stream', '--tools-file', file, '--allow', 'weather', 'Coats?']
  const { code, out } = await runSyn(argv, { env: { ...service.env, PATH } })
  expect([code, out]).toEqual([0, 'Yes.\n'])
  expect(sent(service.asked, 1)).toMatchObject([{}, { role: 'tool', content: 'there is no tool "time"' }])
})

test('a row of a table has the calls, and no markers or reasoning', async () => {
  const output = join(emptyFolder(), 'out.csv')
  const answers: Record<string, string> = {
    a: spelled,
    b: '7.<|close|>message<|sep|>',
    c: '<think>Hm.</think>\n\nSeven.',
  }
  await using service = await startService((asked, response) => {
    const { messages: [message] = [] } = (asked.json ?? {}) as { messages?: { content: string }[] }
    return whole({ content: answers[message?.content ?? ''] })(asked, response)
  })
  const body = '{"tools":[{"type":"function","function":{"name":"weather"}}]}'
  const argv = [
    'batch',
    '-',
    '-t',
    '{{text}}',
    '--no-stream',
    '--jobs',
    '1',
    '-m',
    'hf:a/b',
    '--body',
    body,
    '-o',
    output,
  ]
  const { code, err } = await runSyn([...argv, '--input-format', 'csv'], { env: service.env, stdin: 'text\na\nb\nc\n' })
  expect([code, err]).toEqual([0, expect.any(String)])
  expect(readFileSync(output, 'utf8')).toBe(
    'answer\n' +
      '"[{""id"":""call_0"",""type"":""function"",""function"":{""name"":""weather"",""arguments"":""{\\""city\\"":\\""Oslo\\""}""}}]"\n' +
      '7.\nSeven.\n',
  )
})
