/** What the status row of the chat says, and which requests it sends for that. */

import { expect, test } from 'vitest'
import { delta, end } from '../helpers/chat-chunks.ts'
import { chat as dialect } from '../helpers/dialects.ts'
import { openChat, type ChatOptions, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { emptyFile, emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { chatEvents, events, json, type Answer } from '../helpers/service.ts'

const list = json({
  data: [
    { id: 'hf:org/model', context_length: 128_000, pricing: { prompt: '$0.000001', completion: '$0.000002' } },
    { id: 'syn:large:text', hugging_face_id: 'org/model' },
    { id: 'hf:org/small', context_length: 10_000 },
  ],
})

const quota = (requests: number): object => ({ subscription: { limit: 500, requests, renewsAt: '' } })
const missing = json({ error: 'not found' }, 404)

/** @param usage Prompt and completion tokens. @param requests Those used, by a quota record in a header. */
function answer(usage: readonly [number, number] | undefined, requests?: number): Answer {
  const counts = usage && { usage: { prompt_tokens: usage[0], completion_tokens: usage[1] } }
  const headers = requests === undefined ? {} : { 'x-synthetic-quotas': JSON.stringify(quota(requests)) }
  return events(chatEvents({ ...delta('Hello, you.'), model: 'org/model' }, { ...end(), ...counts }), headers)
}

interface StatusOptions extends ChatOptions {
  /** For each message in turn; the last one also for all that follow. */
  answers?: Answer[]
  models?: Answer
  quotas?: Answer
}

function open({
  answers = [answer([15_000, 400], 11)],
  models = list,
  quotas = json(quota(100)),
  ...options
}: StatusOptions = {}): Promise<InteractiveChat> {
  let said = 0
  const reply: Answer = (asked, response) => {
    if (asked.path.endsWith('/models')) return models(asked, response)
    if (asked.path.endsWith('/quotas')) return quotas(asked, response)
    return answers[Math.min(said++, answers.length - 1)]?.(asked, response)
  }
  return openChat([reply], { columns: 200, rows: 50, ...options })
}

/** Sends a message, and waits for the row. */
async function expectRow(chat: InteractiveChat, row: RegExp | string, text = 'hi'): Promise<void> {
  await chat.enter(text)
  await chat.screen.until((lines) => {
    const last = lines.at(-2) ?? ''
    return typeof row === 'string' ? last === row : row.test(last)
  })
}

function asked({ service }: InteractiveChat): string[] {
  return service.asked.map(({ path }) => path).filter((path) => !path.endsWith('/completions'))
}

const first =
  'syn:large:text · 12% of 128k context · 15,400 tokens · $0.016 in this conversation · 489 of 500 requests left'
const second =
  'syn:large:text · 16% of 128k context · 36,400 tokens · $0.038 in this conversation · 490 of 500 requests left'

test.concurrent('model, context, tokens and cost of the conversation, and the requests left', async () => {
  await using chat = await open({ answers: [answer([15_000, 400], 11), answer([20_000, 1000], 10)] })
  await expectRow(chat, first)
  await expectRow(chat, second)
  // The quota is in the headers.
  expect(asked(chat)).toEqual(['/openai/v1/models'])
})

test.concurrent('a conversation that is continued counts what another run used, a new one does not', async () => {
  const env = { HOME: emptyFolder() }
  await using before = await open({ env })
  await expectRow(before, first)
  await using chat = await open({ answers: [answer([20_000, 1000], 10)], argv: ['-c'], env })
  await expectRow(chat, second)
  await expectRow(chat, 'syn:large:text · 490 of 500 requests left', '/new')
})

test.concurrent.each<[used: number, more: number, taken: string]>([
  [10, 10.07, ' · −0.07 requests'],
  [10, 10.001, ''],
  // A part came back meanwhile.
  [10, 9, ''],
])('what an answer took of the quota: %d used, then %d', async (used, more, taken) => {
  await using chat = await open({ answers: [answer([1, 1], used), answer([1, 1], more), answer([1, 1])] })
  await expectRow(chat, /490 of 500 requests left$/)
  await expectRow(chat, new RegExp(`4 tokens .* requests left${taken}$`))
  // The third has no record: nobody knows.
  await expectRow(chat, /6 tokens .* requests left$/)
})

test.concurrent('while an answer streams, its time and an estimate of its tokens', async () => {
  const paced = dialect.paced()
  await using chat = await open({ answers: [paced.answer] })
  chat.screen.type('hi\r')
  await paced.send('x'.repeat(400))
  await chat.screen.until((lines) => /^esc stops · \d+ s · ≈100 tokens$/.test(lines.at(-2) ?? ''))
  await paced.finish()
})

test.concurrent('what is unknown is left out', async () => {
  await using chat = await open({ answers: [answer(undefined)], models: missing, quotas: missing })
  await expectRow(chat, 'syn:large:text')
  await chat.enter('hi')
  // A service without quotas is not asked again.
  expect(asked(chat).filter((path) => path === '/v2/quotas')).toHaveLength(1)
})

test.concurrent('without counts of the service the context is an estimate', async () => {
  const models = json({ data: [{ id: 'hf:org/model', context_length: 10_000 }] })
  await using chat = await open({ answers: [answer(undefined, 11)], models })
  await expectRow(chat, 'syn:large:text · ≈10% of 10k context · 489 of 500 requests left', 'x'.repeat(4000))
})

test.concurrent('the model is that of the next message', async () => {
  await using chat = await open()
  await expectRow(chat, first)
  await expectRow(chat, /^hf:org\/small · 154% of 10k context · /, '/model hf:org/small')
})

test.concurrent('the context length of an alias that the list lacks is that of the model that answered', async () => {
  await using chat = await open({ models: json({ data: [{ id: 'hf:org/model', max_model_len: 32_768 }] }) })
  await expectRow(chat, / · 46% of 32k context · /)
})

test.concurrent('the quota is requested once a minute at most, without a cache the model list as well', async () => {
  await using chat = await open({ answers: [answer([1, 1])], env: { XDG_CACHE_HOME: emptyFile() } })
  await expectRow(chat, / · 2 tokens · .*400 of 500 requests left$/)
  await expectRow(chat, / · 4 tokens · /)
  expect(asked(chat).toSorted()).toEqual(['/openai/v1/models', '/v2/quotas'])
})

test.concurrent.each<[what: string, options: StatusOptions]>([
  ['the setting', {}],
  ['--quiet', { argv: ['-q'] }],
  ['a dumb terminal', { term: 'dumb' }],
])('%s turns it off, with its requests', async (what, options) => {
  const env = { HOME: emptyFolder() }
  if (what === 'the setting') await runSyn(['config', 'set', 'status', 'false'], { env })
  await using chat = await open({ answers: [answer([1, 1])], env, ...options })
  await chat.enter('hi')
  await chat.enter('hi')
  expect(chat.screen.lines().join('\n')).not.toContain('context')
  expect(asked(chat)).toEqual([])
})
