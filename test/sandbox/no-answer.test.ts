import { expect, test } from 'vitest'
import { smallText, useSandbox } from './clients.ts'

const clients = useSandbox()

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'weather',
      parameters: {
        type: 'object',
        properties: { city: { const: 'Oslo' }, days: { const: 2 } },
        required: ['city', 'days'],
      },
    },
  },
]

async function choicesOf(content: string, more: object = {}) {
  const messages = [{ role: 'user' as const, content }]
  const { choices } = await clients().openai.chat.completions.create({ model: smallText, messages, ...more })
  return choices
}

test.each<[word: string, text: RegExp]>([
  [
    'kimi-k3-call',
    /^<\|open\|>tools<\|sep\|><\|open\|>call tool="weather" index="1"<\|sep\|>.*key="days" type="number"/,
  ],
  ['kimi-k3-json-call', /<\|open\|>json type="object"<\|sep\|>\{"city":"Oslo","days":2\}<\|close\|>json<\|sep\|>/],
  [
    'kimi-k2-call',
    /^<\|tool_calls_section_begin\|><\|tool_call_begin\|>functions\.weather:0<\|tool_call_argument_begin\|>\{/,
  ],
  ['qwen-call', /^<tool_call>\n\{"name":"weather","arguments":\{"city":"Oslo","days":2\}\}\n<\/tool_call>\n$/],
])('%s: the call of a tool that fits, as text', async (word, text) => {
  const [choice] = await choicesOf(`The weather? ${word}`, { tools })
  expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: expect.stringMatching(text) as string } })
  expect(choice?.message.tool_calls).toBeUndefined()
})

test.each<[word: string, text: RegExp]>([
  ['marker-behind', /model was used\.\*<\|close\|>message<\|sep\|>$/],
  ['marker-before', /^p\|>## You wrote/],
  ['think-tag', /^<think>.*\n<\/think>\n\n## You wrote/],
  ['think-end', /^<\/think>\n\n## You wrote/],
  ['think-tag qwen-call', /^<think>.*\n<\/think>\n\n<tool_call>/],
])('%s: text with what does not belong to it', async (word, text) => {
  const [choice] = await choicesOf(word)
  expect(choice?.message.content).toMatch(text)
})

test.each([
  ['forced-tool', 'json_tool_call'],
  ['other-tool', 'search'],
])('%s: the call of a tool that nobody offered', async (word, name) => {
  const [choice] = await choicesOf(word)
  expect(choice).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: null, tool_calls: [{ function: { name } }] },
  })
})

test('a forced tool has the JSON of the schema', async () => {
  const json_schema = { name: 'answer', schema: { properties: { n: { const: 1 } }, required: ['n'] } }
  const [choice] = await choicesOf('forced-tool', { response_format: { type: 'json_schema', json_schema } })
  expect(choice?.message.tool_calls).toMatchObject([{ function: { arguments: '{"n":1}' } }])
})

test('blank-answer: blank the first time, a text the second', async () => {
  const texts = [await clients().ask('blank-answer, please'), await clients().ask('blank-answer, please')]
  expect(texts).toEqual(['\n\n', expect.stringContaining('You wrote')])
})

test('missing-choice: one choice fewer', async () => {
  expect(await choicesOf('missing-choice', { n: 3 })).toHaveLength(2)
  expect(await choicesOf('missing-choice')).toHaveLength(1)
})
