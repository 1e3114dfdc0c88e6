/**
 * The API dialects of the interactive chat, for tests that apply to all of them:
 * `describe.each(dialects)('$name', …)`.
 */

import { delta, end as chatEnd } from './chat-chunks.ts'
import { end as messageEnd, start, wire, type Event } from './messages.ts'
import { PacedStream, type AnswerWriter } from './paced.ts'
import { events, type Answer } from './service.ts'

/** A call of a tool; the arguments are JSON text. */
export interface Call {
  readonly call: string
  readonly given: string
}

/** A piece of an answer, or its token counts (default: 3 and 2). */
export type Piece = string | { reasoning: string } | { usage: readonly [prompt: number, completion: number] } | Call

export interface ConversationBody {
  readonly system?: string
  readonly messages: readonly object[]
}

export interface FamilyFixture {
  readonly name: string
  /** The flags that select it. */
  readonly argv: readonly string[]
  /** The path of its requests. */
  readonly path: string
  /** The fields of each request of the interactive chat, besides conversation and model. */
  readonly alwaysSent: object
  /** A streamed answer. */
  streamed(...pieces: Piece[]): Answer
  /** A streamed answer that is interrupted after these pieces. */
  cut(...pieces: Piece[]): Answer
  /** A streamed answer that the test sends piece by piece. */
  paced(headers?: Record<string, string>): PacedStream<Piece>
  /** The conversation in a request body. */
  conversation(body: ConversationBody): object
  user(text: string): object
  assistant(text: string): object
  /** An answer with calls, as a later request has it. The fixture numbers their ids from 0. */
  calling(text: string, ...calls: Call[]): object
  /** The results of those calls, each a text, or an error. */
  results(...results: (string | { error: string })[]): object[]
  /** A user message with a PNG. */
  userWithImage(text: string, image: Buffer): object
}

type FamilyDefinition = Omit<FamilyFixture, 'streamed' | 'cut' | 'paced' | 'user' | 'assistant'>

function dialect(definition: FamilyDefinition, newWriter: () => AnswerWriter<Piece>): FamilyFixture {
  const stream = (pieces: Piece[], isComplete: boolean): string => {
    const writer = newWriter()
    const parts = [writer.begin(), ...pieces.map((piece) => writer.write(piece))]
    return [...parts, ...(isComplete ? [writer.end()] : [])].join('')
  }
  return {
    ...definition,
    streamed: (...pieces) => events(stream(pieces, true)),
    cut: (...pieces) => events(stream(pieces, false)),
    paced: (headers) => new PacedStream(newWriter(), headers),
    user: (content) => ({ role: 'user', content }),
    assistant: (content) => ({ role: 'assistant', content }),
  }
}

class ChatWriter implements AnswerWriter<Piece> {
  #usage: readonly [number, number] = [3, 2]
  #calls = 0

  begin(): string {
    return ''
  }

  write(piece: Piece): string {
    if (typeof piece === 'string') return chunk(delta(piece))
    if ('reasoning' in piece) return chunk(delta({ reasoning_content: piece.reasoning }))
    if ('call' in piece) {
      const called = { name: piece.call, arguments: piece.given }
      const index = this.#calls++
      return chunk(delta({ tool_calls: [{ index, id: idOf(index), type: 'function', function: called }] }))
    }
    this.#usage = piece.usage
    return ''
  }

  end(): string {
    const [prompt_tokens, completion_tokens] = this.#usage
    const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
    return `${chunk({ ...chatEnd(this.#calls > 0 ? 'tool_calls' : 'stop'), usage })}data: [DONE]\n\n`
  }
}

function idOf(index: number): string {
  return `call_${index}`
}

function chunk(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

/** Consecutive pieces of one type go to one block, but each call to its own. */
class MessagesWriter implements AnswerWriter<Piece> {
  #usage: readonly [number, number] = [3, 2]
  #index = -1
  #calls = 0
  #open: string | undefined

  begin(): string {
    return wire(start())
  }

  write(piece: Piece): string {
    if (typeof piece === 'string') return this.#in({ type: 'text', text: '' }, { type: 'text_delta', text: piece })
    if ('usage' in piece) {
      this.#usage = piece.usage
      return ''
    }
    if ('call' in piece) {
      const block = { type: 'tool_use', id: idOf(this.#calls++), name: piece.call, input: {} }
      return this.#in(block, { type: 'input_json_delta', partial_json: piece.given }) + wire(...this.#stop())
    }
    const delta = { type: 'thinking_delta', thinking: piece.reasoning }
    return this.#in({ type: 'thinking', thinking: '', signature: '' }, delta)
  }

  end(): string {
    const [input_tokens, output_tokens] = this.#usage
    const ending = messageEnd(this.#calls > 0 ? 'tool_use' : 'end_turn').map((event) =>
      event.usage ? { ...event, usage: { input_tokens, output_tokens } } : event,
    )
    return wire(...this.#stop(), ...ending)
  }

  #in(block: Event, delta: object): string {
    const before = this.#open === block.type ? [] : this.#stop()
    const isNew = this.#open === undefined
    if (isNew) this.#index++
    this.#open = block.type
    const index = this.#index
    const opening: Event[] = isNew ? [{ type: 'content_block_start', index, content_block: block }] : []
    return wire(...before, ...opening, { type: 'content_block_delta', index, delta })
  }

  #stop(): Event[] {
    if (this.#open === undefined) return []
    const index = this.#index
    const signature = { type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'c2ln' } }
    const signed = this.#open === 'thinking' ? [signature] : []
    this.#open = undefined
    return [...signed, { type: 'content_block_stop', index }]
  }
}

export const chat = dialect(
  {
    name: 'chat',
    argv: [],
    path: '/openai/v1/chat/completions',
    alwaysSent: { stream: true, stream_options: { include_usage: true } },
    conversation: ({ system, messages }) => ({
      messages: system === undefined ? messages : [{ role: 'system', content: system }, ...messages],
    }),
    calling: (content, ...calls) => ({
      role: 'assistant',
      content,
      tool_calls: calls.map(({ call, given }, index) => {
        return { id: idOf(index), type: 'function', function: { name: call, arguments: given } }
      }),
    }),
    results: (...results) =>
      results.map((result, index) => {
        return { role: 'tool', tool_call_id: idOf(index), content: typeof result === 'string' ? result : result.error }
      }),
    userWithImage: (text, image) => ({
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${image.toString('base64')}` } },
      ],
    }),
  },
  () => new ChatWriter(),
)

export const messages = dialect(
  {
    name: 'messages',
    argv: ['--api', 'messages'],
    path: '/anthropic/v1/messages',
    alwaysSent: { stream: true, max_tokens: 8192 },
    conversation: ({ system, messages }) => ({ ...(system !== undefined && { system }), messages }),
    calling: (text, ...calls) => ({
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...calls.map(({ call, given }, index) => {
          return { type: 'tool_use', id: idOf(index), name: call, input: JSON.parse(given) as unknown }
        }),
      ],
    }),
    results: (...results) => [
      {
        role: 'user',
        content: results.map((result, index) => ({
          type: 'tool_result',
          tool_use_id: idOf(index),
          ...(typeof result === 'string' ? { content: result } : { content: result.error, is_error: true }),
        })),
      },
    ],
    userWithImage: (text, image) => ({
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image.toString('base64') } },
      ],
    }),
  },
  () => new MessagesWriter(),
)

/** The dialects that the chat supports. */
export const dialects: readonly FamilyFixture[] = [chat, messages]
