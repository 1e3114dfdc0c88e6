/** The operations that the table tries, with a good reply of each. */

import { chatEvents } from '../helpers/service.ts'
import { delta, end as chatEnd } from '../helpers/chat-chunks.ts'
import { end as completionEnd, piece } from '../helpers/complete.ts'
import { end as messageEnd, start as messageStart, wire as messageEvents } from '../helpers/messages.ts'

/** The parts of a good reply. */
export interface Parts {
  /** What comes before any text. */
  readonly start: string
  /** The first piece of text. */
  readonly text: string
  /** The other pieces. */
  readonly more: string
  /** The finish reason. */
  readonly finish: string
  /** The end of the stream. */
  readonly done: string
}

export const groups = ['streams', 'wholes', 'replies'] as const
/** Streamed answers, answers in one piece, and replies of the other endpoints. */
export type Group = (typeof groups)[number]

export interface Operation {
  /** The command as it is typed, without the prompt. */
  readonly name: string
  readonly group: Group
  readonly argv: readonly string[]
  readonly path: string
  /** A reply that is not streamed is in `text` alone. */
  readonly parts: Parts
  /** What a run with a good reply prints. */
  readonly output: string
  /** What it prints of `start` and `text` alone. */
  readonly partialOutput: string
}

function streamed(name: string, path: string, parts: Parts): Operation {
  return { name, group: 'streams', argv: [name, 'hi'], path, parts, output: 'Hello\n', partialOutput: 'Hel' }
}

function whole(command: string, path: string, reply: object): Operation {
  const argv = [command, '--no-stream', 'hi']
  return { ...json(argv, path, reply, 'Hello\n'), name: `${command} --no-stream`, group: 'wholes' }
}

function json(argv: readonly string[], path: string, reply: object, output: string): Operation {
  const parts = { start: '', text: JSON.stringify(reply), more: '', finish: '', done: '' }
  return { name: argv[0] ?? '', group: 'replies', argv, path, parts, output, partialOutput: '' }
}

const paths = {
  chat: '/openai/v1/chat/completions',
  complete: '/openai/v1/completions',
  messages: '/anthropic/v1/messages',
}

const done = 'data: [DONE]\n\n'
const event = (chunk: object): string => chatEvents(chunk).replace(done, '')
const answer = { id: 'a', model: 'served' }
const content = [{ type: 'text', text: 'Hello' }]
const blockStart = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const [messageDelta, messageStop] = messageEnd() as [{ type: string }, { type: string }]
const textEvent = (text: string): string =>
  messageEvents({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
/** The row of the model, and of the aliases, each with nine cells that the list says nothing of. */
const modelRows = ['hf:org/model', 'syn:large:text', 'syn:small:text', 'syn:large:vision', 'syn:small:vision']
  .map((name) => `${name}${'\t'.repeat(9)}\n`)
  .join('')

export const operations: readonly Operation[] = [
  streamed('chat', paths.chat, {
    start: event(delta({ role: 'assistant' })),
    text: event(delta('Hel')),
    more: event(delta('lo')),
    finish: event(chatEnd()),
    done,
  }),
  whole('chat', paths.chat, {
    ...answer,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  }),
  streamed('complete', paths.complete, {
    start: event(piece('')),
    text: event(piece('Hel')),
    more: event(piece('lo')),
    finish: event(completionEnd()),
    done,
  }),
  whole('complete', paths.complete, { ...answer, choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }] }),
  streamed('messages', paths.messages, {
    start: messageEvents(messageStart(), blockStart),
    text: textEvent('Hel'),
    more: textEvent('lo'),
    finish: messageEvents({ type: 'content_block_stop', index: 0 }, messageDelta),
    done: messageEvents(messageStop),
  }),
  whole('messages', paths.messages, {
    ...answer,
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: 'end_turn',
  }),
  json(
    ['embed', '-m', 'hf:org/embedder', 'hi'],
    '/openai/v1/embeddings',
    { data: [{ index: 0, embedding: [1, 2] }] },
    '{"index":0,"embedding":[1,2]}\n',
  ),
  json(['models'], '/openai/v1/models', { data: [{ id: 'hf:org/model' }] }, modelRows),
  json(
    ['quota'],
    '/v2/quotas',
    { subscription: { limit: 500, requests: 100, renewsAt: '2026-12-01T00:00:00Z' } },
    'subscription\t100\t500\t400\t2026-12-01T00:00:00Z\n',
  ),
  json(['search', 'hi'], '/search', { results: [{ url: 'https://example.com/' }] }, 'https://example.com/\t\t\t\n'),
  json(['count-tokens', 'hi'], '/anthropic/v1/messages/count_tokens', { input_tokens: 7 }, '7\n'),
]

/** The bodies of good replies by path, for requests besides the operation's own. */
export const goodReplies: ReadonlyMap<string, string> = new Map(
  operations.filter(({ group }) => group === 'replies').map(({ path, parts }) => [path, parts.text]),
)

/** The reply of an operation that works. */
export function goodBody({ parts: { start, text, more, finish, done: stop } }: Operation): string {
  return start + text + more + finish + stop
}

export function contentType({ group }: Operation): string {
  return group === 'streams' ? 'text/event-stream' : 'application/json'
}
