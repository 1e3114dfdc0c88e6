/** The tool runners of the official SDKs, as a second opinion on what is sent after a call. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { type Call, chat, messages, type FamilyFixture } from '../../helpers/dialects.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { whole as wholeChat } from '../../helpers/chat-chunks.ts'
import { whole as wholeMessage } from '../../helpers/messages.ts'
import { type Answer, type Asked, startService, testKey } from '../../helpers/service.ts'

const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }
const [name, description] = ['weather', 'Weather of a city']
const file = join(emptyFolder(), 'tools.json')
writeFileSync(
  file,
  JSON.stringify({ tools: { weather: { description, parameters, command: ['printf', '{{city}}: +7'] } } }),
)

const calls: Call[] = ['Oslo', 'Rome'].map((city) => ({ call: name, given: JSON.stringify({ city }) }))
const run = ({ city }: { city: string }): string => `${city}: +7`

async function sentBy(answers: Answer[], ask: (baseUrl: string) => Promise<unknown>): Promise<Asked[]> {
  await using service = await startService(...answers)
  await ask(service.baseUrl)
  return service.asked
}

async function sentBySyn(dialect: FamilyFixture): Promise<Asked[]> {
  const argv = ['chat', ...dialect.argv, '-m', 'hf:a/b', '--tools-file', file, '--allow', 'weather', 'Coats?']
  return sentBy([dialect.streamed('Hm.', ...calls), dialect.streamed('Yes.')], async (SYN_BASE_URL) => {
    const { code } = await runSyn(argv, { env: { SYN_BASE_URL, SYN_API_KEY: testKey } })
    expect(code).toBe(0)
  })
}

const bodyOf = (asked: Asked[], at: number): { tools?: unknown; messages: unknown[] } =>
  asked[at]?.json as { tools?: unknown; messages: unknown[] }

test('chat completions', async () => {
  const tool_calls = calls.map(({ call, given }, index) => {
    return { id: `call_${index}`, type: 'function', function: { name: call, arguments: given } }
  })
  const answers = [wholeChat({ content: 'Hm.', tool_calls }, 'tool_calls'), wholeChat({ content: 'Yes.' })]
  const theirs = await sentBy(answers, async (baseUrl) => {
    const client = new OpenAI({ baseURL: `${baseUrl}/openai/v1`, apiKey: testKey })
    const runner = client.chat.completions.runTools({
      model: 'hf:a/b',
      messages: [{ role: 'user', content: 'Coats?' }],
      tools: [
        {
          type: 'function',
          function: {
            name,
            description,
            parameters,
            parse: JSON.parse as (text: string) => { city: string },
            function: run,
          },
        },
      ],
    })
    await runner.finalContent()
  })
  const ours = await sentBySyn(chat)
  expect([ours.length, theirs.length]).toEqual([2, 2])
  expect(bodyOf(theirs, 1)).toMatchObject({ messages: bodyOf(ours, 1).messages })
  expect(bodyOf(theirs, 1).messages).toHaveLength(bodyOf(ours, 1).messages.length)
  expect(bodyOf(theirs, 1)).toMatchObject({ tools: bodyOf(ours, 1).tools })
})

test('messages', async () => {
  const uses = calls.map(({ call, given }, index) => {
    return { type: 'tool_use', id: `call_${index}`, name: call, input: JSON.parse(given) as unknown }
  })
  const answers = [
    wholeMessage([{ type: 'text', text: 'Hm.' }, ...uses], 'tool_use'),
    wholeMessage([{ type: 'text', text: 'Yes.' }]),
  ]
  const theirs = await sentBy(answers, async (baseUrl) => {
    const client = new Anthropic({ baseURL: `${baseUrl}/anthropic`, apiKey: testKey })
    const runner = client.beta.messages.toolRunner({
      model: 'hf:a/b',
      max_tokens: 8192,
      thread: false,
      messages: [{ role: 'user', content: 'Coats?' }],
      tools: [
        {
          type: 'custom',
          name,
          description,
          input_schema: parameters,
          run: (input) => run(input as { city: string }),
          parse: (input) => input,
        },
      ],
    })
    await runner.runUntilDone()
  })
  const ours = await sentBySyn(messages)
  expect([ours.length, theirs.length]).toEqual([2, 2])
  expect(bodyOf(ours, 1).messages).toEqual(bodyOf(theirs, 1).messages)
  expect(bodyOf(theirs, 1).tools).toMatchObject(bodyOf(ours, 1).tools as object[])
})
