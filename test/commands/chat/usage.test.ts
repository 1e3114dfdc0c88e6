/** `-u`: token counts, times, cost and quota after the answer, on standard error. */

import { expect, test } from 'vitest'
import { runSyn } from '../../helpers/run-syn.ts'
import { chatAnswer, chatEvents, events, json, startService, type Answer, type Asked } from '../../helpers/service.ts'
import { delta, end } from '../../helpers/chat-chunks.ts'

interface Asking {
  argv?: string[]
  chat?: Answer
  models?: Answer
}

async function ask({
  argv = [],
  chat = events(chatAnswer(['Hel', 'lo'])),
  models = json({ data: [] }),
}: Asking): Promise<{
  code: number
  out: string
  err: string
  asked: Asked[]
}> {
  await using service = await startService((asked, response) =>
    (asked.path.endsWith('/models') ? models : chat)(asked, response),
  )
  return { ...(await runSyn(['chat', '-u', ...argv, 'hi'], { env: service.env })), asked: service.asked }
}

const times = String.raw`first token \d+\.\d\d s · \d+\.\d\d s total( · \d+ tokens/s)?`

test('prints tokens and times, and does not change the answer', async () => {
  const { code, out, err } = await ask({})
  expect({ code, out }).toEqual({ code: 0, out: 'Hello\n' })
  expect(err).toMatch(new RegExp(`^syn: 3 prompt \\+ 2 completion tokens · ${times}\n$`))
})

test.each(['--json', '--no-stream', '--quiet'])('also with %s', async (flag) => {
  expect((await ask({ argv: [flag] })).err).toMatch(/^syn: 3 prompt \+ 2 completion tokens/)
})

test('token counts are not estimated', async () => {
  const chat = events(chatEvents(delta('Hello'), end()))
  expect((await ask({ chat })).err).toMatch(
    new RegExp(String.raw`^syn: no token counts \(the service sent none\) · ${times}\n$`),
  )
})

test.each([{ id: 'syn:large:text' }, { id: 'hf:served' }])(
  'cost, if the model list has a price for %j',
  async (row) => {
    const pricing = { prompt: '$0.001', completion: '0.01' }
    const { err } = await ask({ models: json({ data: ['odd', { ...row, pricing }] }) })
    expect(err).toContain(' · $0.023\n')
  },
)

test('a failing model list is not an error', async () => {
  const { code, err } = await ask({ models: json({ error: 'no' }, 404) })
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^syn: 3 prompt [^$]*\n$/) })
})

test('remaining quota, if a header has it', async () => {
  const quotas = JSON.stringify({ subscription: { limit: 500, requests: 120.5, renewsAt: '2026-01-01T00:00:00.000Z' } })
  const chat = events(chatAnswer(['Hello']), { 'x-synthetic-quotas': quotas })
  expect((await ask({ chat })).err).toMatch(/ · 379\.5 of 500 requests left\n$/)
})

test('without -u the model list is not requested', async () => {
  await using service = await startService(events(chatAnswer(['Hello'])))
  await runSyn(['chat', 'hi'], { env: service.env })
  expect(service.asked.map(({ path }) => path)).toEqual(['/openai/v1/chat/completions'])
})
