/** A 429 without Retry-After may mean that the quota is used up, which the quota record shows. */

import { expect, test } from 'vitest'
import { localTime } from '../../src/io/time/time.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, type Answer } from '../helpers/service.ts'

const limited = json({ error: "You've exceeded your subscription rate limits." }, 429)
const later = '2026-08-19T20:18:11.436Z'
const spent = { subscription: { limit: 500, requests: 500, renewsAt: later } }
const left = { subscription: { limit: 500, requests: 498.5, renewsAt: later } }

/** Chat requests get the answers in turn, quota requests always the same. */
async function runOn(quota: Answer, chats: Answer[], ...argv: string[]): Promise<Outcome & { paths: string[] }> {
  let chatted = 0
  await using service = await startService((asked, response) => {
    if (asked.path === '/v2/quotas') return quota(asked, response)
    return chats[Math.min(chatted++, chats.length - 1)]?.(asked, response)
  })
  const outcome = await runSyn(['chat', 'hi', ...argv], { env: service.env })
  return { ...outcome, paths: service.asked.map(({ method, path }) => `${method} ${path}`) }
}

const chat = 'POST /openai/v1/chat/completions'
const quotas = 'GET /v2/quotas'

test('a used-up quota ends the run and says when it renews', async () => {
  const { code, out, err, paths } = await runOn(json(spent), [limited])
  expect({ code, out, paths }).toEqual({ code: 5, out: '', paths: [chat, quotas] })
  expect(err).toBe(
    "syn: You've exceeded your subscription rate limits. (429 Too Many Requests)\n" +
      `hint: the quota is used up; it renews at ${localTime(Date.parse(later))}\n`,
  )
})

// Together, because each of them waits half a second.
test.concurrent.each([
  ['left', json(left)],
  ['unreadable', json('<html>', 502)],
  ['limited itself', limited],
])('with a quota that is %s the request is retried', async (_what, quota) => {
  const { err, ...outcome } = await runOn(quota, [limited, events(chatAnswer(['Hi']))])
  expect(outcome).toEqual({ code: 0, out: 'Hi\n', paths: [chat, quotas, chat] })
  expect(err).toContain('retrying in 0.')
})

/** The same reply, with the quota in a header. */
function limitedWith(quota: unknown): Answer {
  return json({ error: 'Rate limit exceeded.' }, 429, { 'x-synthetic-quotas': JSON.stringify(quota) })
}

test('the quota in a header of the reply is used instead', async () => {
  const { code, err, paths } = await runOn(json(left), [limitedWith(spent)])
  expect({ code, paths }).toEqual({ code: 5, paths: [chat] })
  expect(err).toContain(`hint: the quota is used up; it renews at ${localTime(Date.parse(later))}\n`)
})

/** The bodies of services, as users of other clients reported them. */
const usedUp: [status: number, body: object][] = [
  // OpenAI.
  [
    429,
    {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    },
  ],
  [402, { error: 'Insufficient credits, no active subscription' }],
  [503, { error: { message: 'all channels failed', type: 'insufficient_quota' } }],
  // DeepSeek, and Z.ai.
  [
    402,
    { error: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' } },
  ],
  [429, { error: { code: '1113', message: 'Insufficient balance or no resource package. Please recharge.' } }],
]

test.each(usedUp)('what is used up is not retried, whatever the status: %d %j', async (status, body) => {
  const { code, out, err, paths } = await runOn(json(left), [json(body, status)])
  const { error } = body as { error: string | { message: string } }
  expect({ code, out, paths }).toEqual({ code: 5, out: '', paths: [chat] })
  expect(err).toMatch(/\nhint: add credit to the account\n$/)
  expect(err).toContain(typeof error === 'string' ? error : error.message)
})
