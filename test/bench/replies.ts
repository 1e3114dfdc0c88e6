/** What the server of the benchmark sends, which the harness compares with what a program printed. */

export type StreamOperation = 'chat' | 'messages' | 'complete'

/** The model whose answer has so many events with text. */
export function modelWithEvents(count: number): string {
  return `hf:events-${count}`
}

const tokens = ' The quick brown fox jumps over the lazy dog, and then it runs along the river'.split(/(?= )/)

/** How many events are built once and sent again and again, so that the server is faster than any client. */
const blockSize = 1000

function token(number: number): string {
  return tokens[number % tokens.length] ?? ''
}

/** The texts of an answer's events. */
export function tokensFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => token(first + at))
}

/** The whole text of an answer. */
export function textWithEvents(count: number): string {
  const whole = Math.floor(count / blockSize)
  const block = tokensFrom(0, blockSize).join('')
  return block.repeat(whole) + tokensFrom(0, count % blockSize).join('')
}

interface EventStyle {
  readonly start: string
  readonly text: (text: string) => string
  readonly end: string
}

const head = { id: 'chatcmpl-8f14e45fceea167a', created: 1_763_800_000, model: 'zai-org/GLM-4.7' }
const message = { id: 'msg_01XFDUDYJgAA', type: 'message', role: 'assistant', content: [], model: head.model }
const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }

function data(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

function named(event: { type: string; [key: string]: unknown }): string {
  return `event: ${event.type}\n${data(event)}`
}

function chatChunk(delta: object, finish: string | null, more: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return data({ ...head, object: 'chat.completion.chunk', choices, ...more })
}

function textChunk(text: string, finish: string | null, more: object = {}): string {
  const choices = [{ index: 0, text, logprobs: null, finish_reason: finish }]
  return data({ ...head, object: 'text_completion', choices, ...more })
}

const styles: Readonly<Record<StreamOperation, EventStyle>> = {
  chat: {
    start: chatChunk({ role: 'assistant', content: '' }, null),
    text: (content) => chatChunk({ content }, null),
    end: `${chatChunk({}, 'stop', { usage })}data: [DONE]\n\n`,
  },
  complete: {
    start: '',
    text: (text) => textChunk(text, null),
    end: `${textChunk('', 'stop', { usage })}data: [DONE]\n\n`,
  },
  messages: {
    start:
      named({ type: 'message_start', message: { ...message, usage: { input_tokens: 9, output_tokens: 1 } } }) +
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    text: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    end:
      named({ type: 'content_block_stop', index: 0 }) +
      named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }) +
      named({ type: 'message_stop' }),
  },
}

/** The events of a streamed answer. */
export function answerEvents(
  operation: StreamOperation,
  count: number,
): { start: string; texts: string[]; end: string } {
  const { start, text, end } = styles[operation]
  return { start, texts: tokensFrom(0, count).map(text), end }
}

export const markdownModel = 'hf:markdown-50000'

/** Four characters in each event. */
const markdownDelta = /[^]{1,4}/g

/** 200 KB of Markdown. */
export function markdownText(): string {
  const sections: string[] = []
  for (let length = 0, number = 1; length < 200_000; number++) {
    const section = markdownSection(number)
    sections.push(section)
    length += section.length
  }
  return sections.join('').slice(0, 200_000)
}

function markdownSection(number: number): string {
  return `## Section ${number}

The **quick** brown fox _jumps_ over the lazy dog, calls \`run(${number})\` and goes on along the river until the end of the
line, where it has a rest and looks at the water for a while.

- one thing, and **another**
- a second thing with \`code\`

| name | value |
|---|---|
| fox | ${number} |
| dog | 7 |

\`\`\`js
const total = items.filter((item) => item.count > ${number}).length
\`\`\`

`
}

const blocks = new Map<StreamOperation, Buffer>()

/** The Markdown as one piece. */
export function markdownPieces(): [string] {
  const { start, text, end } = styles.chat
  return [start + (markdownText().match(markdownDelta) ?? []).map(text).join('') + end]
}

/** The pieces of a streamed answer, in order. */
export function* answerPieces(operation: StreamOperation, count: number): Generator<string | Uint8Array> {
  const { start, text, end } = styles[operation]
  if (start !== '') yield start
  if (count >= blockSize) {
    const block = blocks.get(operation) ?? Buffer.from(tokensFrom(0, blockSize).map(text).join(''))
    blocks.set(operation, block)
    for (let number = Math.floor(count / blockSize); number > 0; number--) yield block
  }
  const rest = tokensFrom(0, count % blockSize)
  yield rest.map(text).join('') + end
}

export const quota = { subscription: { limit: 500, requests: 0, renewsAt: '2027-01-01T00:00:00.000Z' } }

/** The model whose embeddings have so many numbers. */
export function modelWithNumbers(dimensions: number): string {
  return `hf:numbers-${dimensions}`
}

/** How many different embeddings there are. */
const vectorCount = 64

const vectors = new Map<number, readonly number[][]>()

/** The embedding of the text with this number. */
export function vectorOf(text: number, dimensions: number): readonly number[] {
  let made = vectors.get(dimensions)
  if (!made) {
    made = Array.from({ length: vectorCount }, (_, row) =>
      Array.from({ length: dimensions }, (_, column) => Number((Math.sin(row * 7919 + column) / 16).toFixed(10))),
    )
    vectors.set(dimensions, made)
  }
  return made[text % vectorCount] ?? []
}

/** A text to embed. */
export function textToEmbed(number: number): string {
  return `line ${number}`
}

const rows = new Map<string, string>()

/** A reply with an embedding for each text. */
export function embeddingsReply(texts: readonly string[], dimensions: number): string {
  const embedded = texts.map((text, index) => {
    const number = Number(text.slice(5)) % vectorCount
    const key = `${number} ${dimensions}`
    const row = rows.get(key) ?? JSON.stringify(vectorOf(number, dimensions))
    rows.set(key, row)
    return `{"object":"embedding","index":${index},"embedding":${row}}`
  })
  return `{"object":"list","data":[${embedded.join(',')}],"model":"served","usage":{"prompt_tokens":1,"total_tokens":1}}`
}
