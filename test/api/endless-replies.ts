/** Replies that never end, and the limit that ends each: what syn must hold of a reply is bounded. */

import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { delta } from '../helpers/chat-chunks.ts'
import { mebibyte } from '../helpers/large.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { startService, type Answer } from '../helpers/service.ts'

export const types = { events: 'text/event-stream', json: 'application/json' }

/** Sends pieces until the client leaves. */
function endless(type: string, piece: (at: number) => string, start = ''): Answer {
  return (_asked, response) => {
    response.writeHead(200, { 'content-type': type })
    const pieces = function* (): Generator<Buffer> {
      if (start !== '') yield Buffer.from(start)
      for (let at = 0; ; at++) yield Buffer.from(piece(at))
    }
    Readable.from(pieces()).pipe(response)
  }
}

export function event(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

const blanks = '\n'.repeat(mebibyte)
const long = 'x'.repeat(mebibyte)
export const longText = event(delta(long))
const longCall = event(delta({ tool_calls: [{ index: 0, function: { name: 'f', arguments: long } }] }))
const thousandChoices = (at: number): string =>
  Array.from({ length: 1000 }, (_, number) => event(delta('x', 1000 * at + number))).join('')

const onlySpace = 'the service sent more than 1 MiB of white space instead of an answer'
const largeEvent = 'the service sent an event larger than the limit of 16 MiB'
const largeReply = (limit: number): string => `the reply is larger than the limit of ${limit} MiB`
const largeAnswer = 'the answer is larger than the limit of 64 MiB'

type Row = readonly [what: string, argv: string[], answer: Answer, code: number, message: string]

/** Up to 16 MiB. */
export const small: readonly Row[] = [
  ['white space before events', ['chat', 'hi'], endless(types.events, () => blanks), 6, onlySpace],
  ['search results', ['search', 'hi'], endless(types.json, () => long, '{"results":["'), 6, largeReply(16)],
  ['an event', ['chat', 'hi'], endless(types.events, () => long, 'data: '), 6, largeEvent],
  [
    'events before the answer',
    ['chat', '--jsonl', 'hi'],
    endless(types.events, () => event({ id: 'x'.repeat(10_000), choices: [] })),
    6,
    'the service sent more than 1 MiB before the answer',
  ],
]

/** 64 MiB each. */
export const large: readonly Row[] = [
  ['lines without text', ['chat', 'hi'], endless(types.events, () => 'data:\n'.repeat(10_000)), 6, largeEvent],
  ['choices', ['chat', 'hi'], endless(types.events, thousandChoices), 7, largeAnswer],
  ['an event of many lines', ['chat', 'hi'], endless(types.events, () => `data: ${long}\n`), 6, largeEvent],
  [
    'parts of a signature',
    ['chat', '--api', 'messages', '--save', 'hi'],
    endless(
      types.events,
      () => event({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: long } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'x' } }),
    ),
    6,
    largeAnswer,
  ],
  ...[['--json'], ['-x'], ['--save'], ['--schema', '{"type":"object"}'], ['--no-save', '--raw']].map((options): Row => [
    `an answer with ${options.join(' ')}`,
    ['chat', ...options, 'hi'],
    endless(types.events, () => longText),
    7,
    largeAnswer,
  ]),
  [
    'the ids of tool calls',
    ['chat', 'hi'],
    endless(types.events, (at) => event(delta({ tool_calls: [{ id: `${at}${long}` }] }))),
    7,
    largeAnswer,
  ],
  [
    'tool calls of choices without text',
    ['chat', 'hi'],
    endless(types.events, (at) =>
      Array.from({ length: 1000 }, (_, number) => event(delta({ tool_calls: [] }, 1000 * at + number))).join(''),
    ),
    6,
    'the service sent more than 65536 answers',
  ],
  [
    'blocks',
    ['messages', 'hi'],
    endless(types.events, (at) =>
      Array.from({ length: 1000 }, (_, number) =>
        event({ type: 'content_block_start', index: 1000 * at + number, content_block: { type: 'text', text: 'x' } }),
      ).join(''),
    ),
    7,
    'the service sent more than 65536 content blocks',
  ],
  ['the arguments of a tool call', ['chat', 'hi'], endless(types.events, () => longCall), 7, largeAnswer],
]

export async function expectEnded([, argv, answer, code, message]: Row): Promise<void> {
  await using service = await startService(answer)
  // What a terminal shows is held: a later line may change how an earlier one looks.
  const outcome = await runSyn([...argv, '--retries', '0'], { env: service.env, isTerminal: argv.includes('--raw') })
  // With -x, an answer without a code block goes to standard error.
  const problem = outcome.err.split('\n').find((line) => line.startsWith('syn: '))
  expect({ code: outcome.code, problem }).toEqual({
    code,
    problem: expect.stringMatching(new RegExp(`^syn: (the answer was cut short: )?${message}$`)) as string,
  })
}
