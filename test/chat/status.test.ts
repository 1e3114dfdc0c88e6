/** What the status row of the chat says, and which requests it sends for that. */

import { afterEach, describe, expect, test, vi } from 'vitest'
import { Meter } from '../../src/answer/meter.ts'
import { Answer } from '../../src/stream/answer.ts'
import type { Delta } from '../../src/stream/delta.ts'
import { emptyFile } from '../helpers/run-syn.ts'
import { json } from '../helpers/service.ts'
import { answer, minute, missing, openStatus, quotas, type StatusOptions } from '../helpers/status.ts'

afterEach(() => void vi.useRealTimers())

describe('while an answer streams', () => {
  const text = (length: number): Delta => ({ type: 'text', index: 0, text: 'x'.repeat(length) })

  test.each<[milliseconds: number, deltas: Delta[], row: string]>([
    [59_999, [text(1)], 'esc stops · 59 s · ≈1 token'],
    [125_000, [text(1399)], 'esc stops · 2 min 5 s · ≈350 tokens'],
    [1000, [text(3999)], 'esc stops · 1 s · ≈1.0k tokens'],
    [
      1000,
      [
        { type: 'reasoning', index: 0, text: 'x'.repeat(40) },
        { type: 'tool', index: 0, call: 0, name: 'look', arguments: 'x'.repeat(36) },
      ],
      'esc stops · 1 s · ≈20 tokens',
    ],
    [-5000, [], 'esc stops · 0 s'],
  ])('after %i ms', async (milliseconds, deltas, row) => {
    await using chat = await openStatus()
    const now = (): number => chat.clock
    const answer = new Answer({ now })
    const meter = new Meter('syn:large:text', answer, now)
    answer.add(deltas)
    chat.clock += milliseconds
    chat.status.answering(meter)
    expect(chat.row()).toBe(row)
  })

  test('it changes at whole seconds, until the answer ends', async () => {
    await using chat = await openStatus()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const advance = (milliseconds: number): void => {
      chat.clock += milliseconds
      vi.advanceTimersByTime(milliseconds)
    }
    const now = (): number => chat.clock
    const answer = new Answer({ now })
    const meter = new Meter('syn:large:text', answer, now)
    chat.clock += 400
    chat.status.answering(meter)
    answer.add([text(100)])
    advance(599)
    expect(chat.row()).toBe('esc stops · 0 s')
    advance(1)
    expect(chat.row()).toBe('esc stops · 1 s · ≈20 tokens')
    advance(1000)
    expect(chat.row()).toBe('esc stops · 2 s · ≈20 tokens')
    chat.status.hide()
    advance(5000)
    expect(chat.row()).toBe('')
  })
})

describe('when idle', () => {
  test('model, context, tokens and cost of the conversation, and the requests left', async () => {
    await using chat = await openStatus({ answers: [answer([15_000, 400], 11), answer([20_000, 1000], 10.5)] })
    await chat.say()
    await expect
      .poll(chat.row)
      .toBe(
        'syn:large:text · 12% of 128k context · 15,400 tokens · $0.016 in this conversation · 489 of 500 requests left',
      )
    await chat.say()
    await expect
      .poll(chat.row)
      .toBe(
        'syn:large:text · 16% of 128k context · 36,400 tokens · $0.038 in this conversation · 489.5 of 500 requests left',
      )
    // The quota is in the headers.
    expect(chat.asked()).toEqual(['/openai/v1/models'])
  })

  test.each<[used: number, more: number, taken: string]>([
    [10, 10.07, ' · −0.07 requests'],
    [10, 10.001, ''],
    // A part came back meanwhile.
    [10, 9, ''],
  ])('what an answer took of the quota: %d used, then %d', async (used, more, taken) => {
    await using chat = await openStatus({ answers: [answer([1, 1], used), answer([1, 1], more), answer([1, 1])] })
    await chat.say()
    await expect.poll(chat.row).toMatch(/490 of 500 requests left$/)
    await chat.say()
    await expect.poll(chat.row).toMatch(new RegExp(`4 tokens .* requests left${taken}$`))
    // The third has no record: nobody knows.
    await chat.say()
    await expect.poll(chat.row).toMatch(/6 tokens .* requests left$/)
  })

  test('what is unknown is left out', async () => {
    await using chat = await openStatus({ answers: [answer(undefined)], models: missing, quotas: missing })
    await chat.say()
    await expect.poll(chat.asked).toEqual(['/openai/v1/models', '/v2/quotas'])
    await expect.poll(chat.row).toBe('syn:large:text')
  })

  test('without counts of the service the context is an estimate', async () => {
    await using chat = await openStatus({ answers: [answer(undefined, 11)] })
    await chat.say('x'.repeat(51_200))
    await expect.poll(chat.row).toBe('syn:large:text · ≈10% of 128k context · 489 of 500 requests left')
  })

  test('the model is that of the next message, and nothing is printed for it', async () => {
    await using chat = await openStatus()
    await chat.say()
    chat.state.attachments = [{ kind: 'image', name: 'a.png', image: 'https://x.example/a.png' }]
    await expect.poll(chat.row).toMatch(/^syn:large:vision · 154% of 10k context · /)
    chat.state.model = 'hf:org/small'
    chat.status.idle()
    await expect.poll(chat.row).toMatch(/^hf:org\/small · 154% of 10k context · /)
    chat.state.model = 'syn:large:txt'
    chat.status.idle()
    await expect.poll(chat.row).toMatch(/^syn:large:txt · 15,400 tokens · /)
    expect(chat.errors).toEqual([])
  })

  test('the context length of an alias that the list lacks is that of the model that answered', async () => {
    const models = json({ data: [{ id: 'hf:org/model', max_model_len: 32_768 }] })
    await using chat = await openStatus({ models })
    await chat.say()
    await expect.poll(chat.row).toContain(' · 46% of 32k context · ')
  })
})

describe('a conversation', () => {
  test('continued in another run counts what that one used', async () => {
    await using before = await openStatus({ answers: [answer([15_000, 400], 11), answer([20_000, 1000], 10)] })
    await before.say()
    await expect.poll(before.row).toContain('128k')
    await using chat = await openStatus({ continued: before })
    chat.status.idle()
    await expect
      .poll(chat.row)
      .toBe('syn:large:text · 12% of 128k context · 15,400 tokens · $0.016 in this conversation')
    await chat.say()
    await expect
      .poll(chat.row)
      .toBe(
        'syn:large:text · 16% of 128k context · 36,400 tokens · $0.038 in this conversation · 490 of 500 requests left',
      )
    // The list is in the cache.
    expect(chat.asked()).toEqual(['/openai/v1/models'])
  })

  test('as a fork has the same counts, a new one has none', async () => {
    await using chat = await openStatus()
    await chat.say()
    await expect.poll(chat.row).toContain(' · 12% of 128k context · 15,400 tokens · ')
    const row = chat.row()
    chat.state.session = await chat.state.session.fork(undefined)
    chat.status.idle()
    await expect.poll(chat.row).toBe(row)
    chat.state.session = chat.state.session.startNew()
    chat.status.idle()
    await expect.poll(chat.row).toBe('syn:large:text · 489 of 500 requests left')
  })
})

describe('the request for the quota', () => {
  const isQuota = (path: string): boolean => path === '/v2/quotas'

  test('is sent at most once a minute', async () => {
    await using chat = await openStatus({ answers: [answer([1, 1])] })
    await chat.say()
    await expect.poll(chat.row).toContain(' · 400 of 500 requests left')
    chat.clock += minute - 1
    await chat.say()
    await expect.poll(chat.row).toContain(' · 4 tokens · ')
    expect(chat.asked().filter(isQuota)).toHaveLength(1)
    chat.clock += 1
    await chat.say()
    await expect.poll(() => chat.asked().filter(isQuota)).toHaveLength(2)
  })

  test('is not sent again to a service without quotas', async () => {
    await using chat = await openStatus({ answers: [answer([1, 1])], quotas: missing })
    await chat.say()
    await expect.poll(chat.asked).toContain('/v2/quotas')
    await expect.poll(chat.row).toContain('128k')
    const before = chat.asked().length
    chat.clock += 100 * minute
    await chat.say()
    // The list is read again, as it is older than an hour.
    await expect.poll(() => chat.asked().slice(before)).toEqual(['/openai/v1/models'])
  })

  test('is sent again after a failure that may pass, and keeps the last number until then', async () => {
    let replies = 0
    await using chat = await openStatus({
      answers: [answer([1, 1])],
      quotas: (asked, response) => (replies++ === 1 ? json({ error: 'busy' }, 503) : quotas(11))(asked, response),
    })
    await chat.say()
    await expect.poll(chat.row).toContain('489 of 500 requests left')
    for (const count of [2, 3]) {
      chat.clock += minute
      await chat.say()
      await expect.poll(() => chat.asked().filter(isQuota)).toHaveLength(count)
      await expect.poll(chat.row).toContain('489 of 500 requests left')
    }
  })

  test('is canceled when the chat ends', async () => {
    let canceled: () => void = () => undefined
    const cancellation = new Promise<void>((resolve) => (canceled = resolve))
    await using chat = await openStatus({
      answers: [answer([1, 1])],
      quotas: (_asked, response) => void response.on('close', canceled),
    })
    await chat.say()
    await expect.poll(chat.asked).toContain('/v2/quotas')
    chat.status.close()
    await cancellation
    expect(chat.row()).toBe('')
  })
})

test.each<[what: string, options: StatusOptions]>([
  ['the setting', { settings: { status: false } }],
  ['--quiet', { flags: { quiet: true } }],
  ['a dumb terminal', { env: { TERM: 'dumb' } }],
])('%s turns it off, with its requests', async (_what, options) => {
  await using chat = await openStatus({ answers: [answer([1, 1])], ...options })
  chat.status.idle()
  await chat.say()
  await chat.say()
  expect(chat.row()).toBe('never shown')
  expect(chat.asked()).toEqual([])
})

test('without a cache, the model list is requested at most once a minute', async () => {
  await using chat = await openStatus({ env: { XDG_CACHE_HOME: emptyFile() } })
  await chat.say()
  await expect.poll(chat.row).toContain('128k')
  await chat.say()
  await expect.poll(chat.row).toContain('30,800 tokens')
  expect(chat.asked()).toEqual(['/openai/v1/models'])
})
