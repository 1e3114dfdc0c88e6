/** The status row of a chat without a terminal, against a local server. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dialects } from '../../src/api/dialects.ts'
import { sendTurn } from '../../src/chat/answer.ts'
import type { ChatState } from '../../src/chat/state.ts'
import { Status } from '../../src/chat/status.ts'
import { UsageTotals } from '../../src/answer/meter.ts'
import { createContext } from '../../src/context.ts'
import { openSession } from '../../src/conversation/session.ts'
import { openStore } from '../../src/conversation/store.ts'
import { Secrets } from '../../src/io/secrets.ts'
import { delta, end } from './chat-chunks.ts'
import { emptyFolder, testIo, unreadInput } from './run-syn.ts'
import { chatEvents, events, json, startService, type Answer, type Service } from './service.ts'

export const minute = 60_000

const list = json({
  data: [
    { id: 'hf:org/model', context_length: 128_000, pricing: { prompt: '$0.000001', completion: '$0.000002' } },
    { id: 'syn:large:text', hugging_face_id: 'org/model' },
    { id: 'syn:large:vision', context_length: 10_000 },
    { id: 'hf:org/small', context_length: 10_000 },
  ],
})

const quota = (requests: number): object => ({ subscription: { limit: 500, requests, renewsAt: '' } })
export const quotas = (requests: number): Answer => json(quota(requests))
export const missing = json({ error: 'not found' }, 404)

/** @param usage Prompt and completion tokens. @param requests Those used, by a quota record in a header. */
export function answer(usage: readonly [number, number] | undefined, requests?: number): Answer {
  const counts = usage && { usage: { prompt_tokens: usage[0], completion_tokens: usage[1] } }
  const headers = requests === undefined ? {} : { 'x-synthetic-quotas': JSON.stringify(quota(requests)) }
  return events(chatEvents({ ...delta('Hello, you.'), model: 'org/model' }, { ...end(), ...counts }), headers)
}

export interface StatusOptions {
  /** For each message in turn; the last one also for all that follow. */
  answers?: Answer[]
  models?: Answer
  quotas?: Answer
  flags?: Record<string, string | boolean>
  settings?: object
  env?: Record<string, string>
  /** An earlier chat, whose conversation continues. */
  continued?: StatusChat
}

export interface StatusChat extends AsyncDisposable {
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

export async function openStatus({
  answers = [answer([15_000, 400], 11)],
  continued,
  ...options
}: StatusOptions = {}): Promise<StatusChat> {
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
  const context = await createContext({}, { words: [], typed: flags, argv: [] }, io, new Secrets())
  let row = 'never shown'
  const session = await openSession({ save: true, ...(continued && { continue: true }) }, openStore(context), true)
  const state: ChatState = {
    context,
    style: await context.loadStyle(io.out),
    session,
    dialect: dialects.chat,
    model: undefined,
    lastModel: session.conversation.lastModel,
    announcedModel: undefined,
    system: undefined,
    given: {},
    fields: {},
    showsReasoning: false,
    showsUsage: false,
    limits: { fallback: false },
    isRaw: false,
    usageTotals: new UsageTotals(),
    attachments: [],
    offeredFiles: new Set(),
    textMentions: new Set(),
    drafts: new Map(),
    tools: { options: {}, offered: undefined },
    askKey: () => Promise.resolve(undefined),
    isAtLimit: false,
    hasWarnedOfContext: false,
    replaceablePath: undefined,
    signal: new AbortController().signal,
    edit: (text) => Promise.resolve(text),
    showMessage: () => undefined,
    onAnswer: (meter) => status.answering(meter),
  }
  const status = new Status(state, (parts) => void (row = parts.join(' · ')))
  const chat: StatusChat = {
    state,
    status,
    service,
    home,
    errors,
    clock: 10 * minute,
    say: async (text = 'hi') => {
      const turn = { messages: [{ role: 'user', content: text }] }
      await sendTurn(turn, state)
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
  return chat
}
