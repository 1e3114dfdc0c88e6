/** What the status row of the chat says, and which requests it sends for that. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { families } from '../../src/api/families.ts'
import { Meter } from '../../src/answer/meter.ts'
import { sendTurn } from '../../src/chat/answer.ts'
import { contextWarning } from '../../src/chat/context-warning.ts'
import type { ChatState } from '../../src/chat/state.ts'
import { Status } from '../../src/chat/status.ts'
import { UsageTotals } from '../../src/chat/usage-totals.ts'
import { createContext } from '../../src/context.ts'
import { openSession } from '../../src/conversation/session.ts'
import { conversationStoreOptions } from '../../src/conversation/store.ts'
import { Secrets } from '../../src/io/secrets.ts'
import type { Delta } from '../../src/stream/delta.ts'
import { chatEvents, events, json, startService, type Answer, type Service } from '../helpers/service.ts'
import { delta, end } from '../helpers/chat-chunks.ts'
import { emptyFile, emptyFolder, testIo, unreadInput } from '../helpers/run-syn.ts'

const minute = 60_000

const list = json({
  data: [
    { id: 'hf:org/model', context_length: 128_000, pricing: { prompt: '$0.000001', completion: '$0.000002' } },
    { id: 'syn:large:text', hugging_face_id: 'org/model' },
    { id: 'syn:large:vision', context_length: 10_000 },
    { id: 'hf:org/small', context_length: 10_000 },
  ],
})

const quota = (requests: number): object => ({ subscription: { limit: 500, requests, renewsAt: '' } })
const quotas = (requests: number): Answer => json(quota(requests))
const missing = json({ error: 'not found' }, 404)

/** @param usage Prompt and completion tokens. @param left The `requests` of a quota record in a header. */
function answer(usage: readonly [number, number] | undefined, requests?: number): Answer {
  const counts = usage && { usage: { prompt_tokens: usage[0], completion_tokens: usage[1] } }
  const headers = requests === undefined ? {} : { 'x-synthetic-quotas': JSON.stringify(quota(requests)) }
  return events(chatEvents({ ...delta('Hello, you.'), model: 'org/model' }, { ...end(), ...counts }), headers)
}

interface Options {
  /** For each message in turn; the last one also for all that follow. */
  answers?: Answer[]
  models?: Answer
  quotas?: Answer
  flags?: Record<string, string | boolean>
  settings?: object
  env?: Record<string, string>
  /** Of an earlier chat, whose conversation continues. */
  continued?: Chat
}

interface Chat extends AsyncDisposable {
  readonly state: ChatState
  readonly status: Status
  readonly service: Service
  readonly home: string
  /** What was written to standard error. */
  readonly errors: string[]
  /** The time, in milliseconds. */
  clock: number
  /** Sends a message, and waits for input again. */
  say(text?: string): Promise<void>
  /** The row. */
  row(): string
  /** The paths of all requests but those of messages. */
  asked(): string[]
}

const open: Chat[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const chat of open.splice(0)) await chat[Symbol.asyncDispose]()
})

async function openChat({ answers = [answer([15_000, 400], 11)], continued, ...options }: Options = {}) {
  let said = 0
  const home = continued?.home ?? emptyFolder()
  const errors: string[] = []
  const service =
    continued?.service ??
    (await startService((asked, response) => {
      if (asked.path.endsWith('/models')) return (options.models ?? list)(asked, response)
      if (asked.path.endsWith('/quotas')) return (options.quotas ?? quotas(100))(asked, response)
      return answers[Math.min(said++, answers.length - 1)]?.(asked, response)
    }))
  const config = join(home, '.config', 'syn')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'config.json'), JSON.stringify({ profiles: { default: options.settings ?? {} } }))
  const sink = { isTerminal: false, columns: () => 80, write: () => Promise.resolve() } as const
  const write = (text: string | Uint8Array): Promise<void> => Promise.resolve(void errors.push(String(text)))
  const io = testIo({
    in: unreadInput(),
    out: sink,
    err: { ...sink, write },
    env: { HOME: home, ...service.env, ...options.env },
    now: () => chat.clock,
  })
  const flags = new Map(Object.entries(options.flags ?? {}))
  const context = await createContext({}, { words: [], typed: flags }, io, new Secrets())
  let row = 'never shown'
  const session = await openSession(
    { save: true, ...(continued && { continue: true }) },
    conversationStoreOptions(context),
    true,
  )
  const state: ChatState = {
    context,
    style: await context.loadStyle(io.out),
    session,
    family: families.chat,
    model: undefined,
    lastModel: session.lastModel,
    announcedModel: undefined,
    system: undefined,
    fields: {},
    showsReasoning: false,
    isRaw: false,
    usageTotals: new UsageTotals(),
    images: [],
    files: [],
    hasWarnedOfContext: false,
    replaceablePath: undefined,
    signal: new AbortController().signal,
    edit: (text) => Promise.resolve(text),
    onAnswer: (meter) => status.answering(meter),
  }
  const status = new Status(state, (parts) => void (row = parts.join(' · ')))
  const chat: Chat = {
    state,
    status,
    service,
    home,
    errors,
    clock: 10 * minute,
    say: async (text = 'hi') => {
      const turn = { messages: [{ role: 'user', content: text }] }
      await sendTurn(turn, state, { fallback: false, usage: false })
      status.idle()
    },
    row: () => row,
    asked: () => service.asked.map(({ path }) => path).filter((path) => !path.endsWith('/completions')),
    [Symbol.asyncDispose]: async () => {
      status.close()
      await context.client.close()
      await service.close()
    },
  }
  open.push(chat)
  return chat
}

describe('while an answer streams', () => {
  const text = (length: number): Delta => ({ type: 'text', index: 0, text: 'x'.repeat(length) })

  test.each<[milliseconds: number, deltas: Delta[], row: string]>([
    [0, [], 'esc stops · 0 s'],
    [12_400, [], 'esc stops · 12 s'],
    [59_999, [text(1)], 'esc stops · 59 s · ≈1 token'],
    [125_000, [text(1399)], 'esc stops · 2 min 5 s · ≈350 tokens'],
    [1000, [text(3999)], 'esc stops · 1 s · ≈1.0k tokens'],
    [1000, [text(50_399)], 'esc stops · 1 s · ≈12.6k tokens'],
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
    const chat = await openChat()
    const meter = new Meter('syn:large:text', () => chat.clock)
    meter.add(deltas)
    chat.clock += milliseconds
    chat.status.answering(meter)
    expect(chat.row()).toBe(row)
  })

  test('it changes at whole seconds, until the answer ends', async () => {
    const chat = await openChat()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const advance = (milliseconds: number): void => {
      chat.clock += milliseconds
      vi.advanceTimersByTime(milliseconds)
    }
    const meter = new Meter('syn:large:text', () => chat.clock)
    chat.clock += 400
    chat.status.answering(meter)
    meter.add([text(100)])
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

  test('it is shown before the service replies', async () => {
    let rowThen = ''
    const chat = await openChat({
      answers: [
        (asked, response) => {
          rowThen = chat.row()
          return answer([1, 1])(asked, response)
        },
      ],
    })
    await chat.say()
    expect(rowThen).toBe('esc stops · 0 s')
  })
})

describe('when idle', () => {
  test('before the first message, only the model is known, and nothing is requested', async () => {
    const chat = await openChat()
    chat.status.idle()
    await expect.poll(chat.row).toBe('syn:large:text')
    expect(chat.asked()).toEqual([])
  })

  test('model, context, tokens and cost of the conversation, and the requests left', async () => {
    const chat = await openChat({ answers: [answer([15_000, 400], 11), answer([20_000, 1000], 10.5)] })
    await chat.say()
    await expect
      .poll(chat.row)
      .toBe('syn:large:text · 12% of 128k context · 15,400 tokens · $0.016 · 489 requests left')
    await chat.say()
    await expect
      .poll(chat.row)
      .toBe('syn:large:text · 16% of 128k context · 36,400 tokens · $0.038 · 489.5 requests left')
    // The quota is in the headers.
    expect(chat.asked()).toEqual(['/openai/v1/models'])
  })

  test('what is unknown is left out', async () => {
    const chat = await openChat({ answers: [answer(undefined)], models: missing, quotas: missing })
    await chat.say()
    await expect.poll(chat.asked).toEqual(['/openai/v1/models', '/v2/quotas'])
    await expect.poll(chat.row).toBe('syn:large:text')
  })

  test('without counts of the service the context is an estimate', async () => {
    const chat = await openChat({ answers: [answer(undefined, 11)] })
    await chat.say('x'.repeat(51_200))
    await expect.poll(chat.row).toBe('syn:large:text · ≈10% of 128k context · 489 requests left')
  })

  test('a small share is not nothing', async () => {
    const chat = await openChat({ answers: [answer([1, 0], 499)] })
    await chat.say()
    await expect.poll(chat.row).toBe('syn:large:text · <1% of 128k context · 1 token · $0.0000010 · 1 request left')
  })

  test('the model is that of the next message, and nothing is printed for it', async () => {
    const chat = await openChat()
    await chat.say()
    chat.state.images = [{ source: 'a.png', image: { kind: 'url', url: 'https://x.example/a.png' } }]
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
    const chat = await openChat({ models })
    await chat.say()
    await expect.poll(chat.row).toContain(' · 46% of 32k context · ')
  })

  test('control characters in a name are visible', async () => {
    const chat = await openChat()
    chat.state.model = 'hf:a\u001b[2J\n'
    chat.status.idle()
    await expect.poll(chat.row).toBe('hf:a␛[2J ')
  })
})

describe('a conversation', () => {
  test('continued in another run counts what that one used', async () => {
    const before = await openChat({ answers: [answer([15_000, 400], 11), answer([20_000, 1000], 10)] })
    await before.say()
    await expect.poll(before.row).toContain('128k')
    const chat = await openChat({ continued: before })
    chat.status.idle()
    await expect.poll(chat.row).toBe('syn:large:text · 12% of 128k context · 15,400 tokens · $0.016')
    await chat.say()
    await expect
      .poll(chat.row)
      .toBe('syn:large:text · 16% of 128k context · 36,400 tokens · $0.038 · 490 requests left')
    // The list is in the cache.
    expect(chat.asked()).toEqual(['/openai/v1/models'])
  })

  test('after an undo its context is smaller, and its cost is not', async () => {
    const chat = await openChat({ answers: [answer([15_000, 400], 11), answer([20_000, 1000], 11)] })
    await chat.say()
    await chat.say()
    await expect.poll(chat.row).toContain(' · 16% of 128k context · 36,400 tokens · ')
    await chat.state.session.undo()
    chat.status.idle()
    await expect.poll(chat.row).toContain(' · 12% of 128k context · 36,400 tokens · ')
  })

  test('as a fork has the same counts, a new one has none', async () => {
    const chat = await openChat()
    await chat.say()
    await expect.poll(chat.row).toContain(' · 12% of 128k context · 15,400 tokens · ')
    const row = chat.row()
    chat.state.session = await chat.state.session.fork(undefined)
    chat.status.idle()
    await expect.poll(chat.row).toBe(row)
    chat.state.session = chat.state.session.startNew()
    chat.status.idle()
    await expect.poll(chat.row).toBe('syn:large:text · 489 requests left')
  })

  test('has the size that the warning of a full context goes by, also after an undo', async () => {
    const chat = await openChat({ answers: [answer([9000, 100]), answer([9000, 900])] })
    chat.state.model = 'hf:org/small'
    await chat.say()
    await chat.say()
    expect(await contextWarning('hi', chat.state)).toContain('about 9901 tokens')
    await chat.state.session.undo()
    expect(await contextWarning('hi', chat.state)).toContain('about 9101 tokens')
  })
})

describe('the request for the quota', () => {
  const isQuota = (path: string): boolean => path === '/v2/quotas'

  test('is sent at most once a minute', async () => {
    const chat = await openChat({ answers: [answer([1, 1])] })
    await chat.say()
    await expect.poll(chat.row).toContain(' · 400 requests left')
    chat.clock += minute - 1
    await chat.say()
    await expect.poll(chat.row).toContain(' · 4 tokens · ')
    expect(chat.asked().filter(isQuota)).toHaveLength(1)
    chat.clock += 1
    await chat.say()
    await expect.poll(() => chat.asked().filter(isQuota)).toHaveLength(2)
  })

  test('is not sent if a header tells it', async () => {
    const chat = await openChat({ answers: [answer([1, 1], 11)] })
    await chat.say()
    chat.clock += minute
    await chat.say()
    await expect.poll(chat.row).toContain('4 tokens')
    expect(chat.asked().filter(isQuota)).toEqual([])
  })

  test('is not sent again to a service without quotas', async () => {
    const chat = await openChat({ answers: [answer([1, 1])], quotas: missing })
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
    const chat = await openChat({
      answers: [answer([1, 1])],
      quotas: (asked, response) => (replies++ === 1 ? json({ error: 'busy' }, 503) : quotas(11))(asked, response),
    })
    await chat.say()
    await expect.poll(chat.row).toContain('489 requests left')
    for (const count of [2, 3]) {
      chat.clock += minute
      await chat.say()
      await expect.poll(() => chat.asked().filter(isQuota)).toHaveLength(count)
      await expect.poll(chat.row).toContain('489 requests left')
    }
  })

  test('is not sent after a message without an answer', async () => {
    const chat = await openChat({ answers: [json({ error: 'no' }, 400)] })
    await expect(chat.say()).rejects.toThrow('no (400 Bad Request)')
    chat.status.idle()
    await expect.poll(chat.row).toBe('syn:large:text')
    expect(chat.asked()).toEqual([])
  })

  test('is canceled when the chat ends', async () => {
    let canceled: () => void = () => undefined
    const cancellation = new Promise<void>((resolve) => (canceled = resolve))
    const chat = await openChat({
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

test.each<[what: string, options: Options]>([
  ['the setting', { settings: { status: false } }],
  ['--quiet', { flags: { quiet: true } }],
  ['a dumb terminal', { env: { TERM: 'dumb' } }],
])('%s turns it off, with its requests', async (_what, options) => {
  const chat = await openChat({ answers: [answer([1, 1])], ...options })
  chat.status.idle()
  await chat.say()
  await chat.say()
  expect(chat.row()).toBe('never shown')
  expect(chat.asked()).toEqual([])
})

test('without a cache, the model list is requested at most once a minute', async () => {
  const chat = await openChat({ env: { XDG_CACHE_HOME: emptyFile() } })
  await chat.say()
  await expect.poll(chat.row).toContain('128k')
  await chat.say()
  await expect.poll(chat.row).toContain('30,800 tokens')
  expect(chat.asked()).toEqual(['/openai/v1/models'])
})
