/** Texts of one read that follow each other are one delta; nothing else about an answer changes. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chat } from '../../src/api/chat/operation.ts'
import { NetworkError } from '../../src/errors.ts'
import { isContent, type Delta } from '../../src/stream/delta.ts'
import { readAnswer } from '../../src/stream/reply-decoder.ts'
import { samples } from '../helpers/samples.ts'

const text = fc.string({ maxLength: 5 })

/** One choice of an event: mostly text, as in real answers. */
const choice = fc
  .tuple(
    fc.nat({ max: 1 }),
    fc.oneof(
      { weight: 8, arbitrary: text.map((content) => ({ delta: { content } })) },
      { weight: 3, arbitrary: text.map((content) => ({ delta: { reasoning_content: content } })) },
      { weight: 1, arbitrary: text.map((refusal) => ({ delta: { refusal } })) },
      { weight: 1, arbitrary: text.map((given) => ({ delta: { tool_calls: [{ function: { arguments: given } }] } })) },
      {
        weight: 1,
        arbitrary: text.map((token) => ({
          delta: { content: token },
          logprobs: { content: [{ token, logprob: -1 }] },
        })),
      },
      { weight: 1, arbitrary: fc.constant({ delta: {}, finish_reason: 'stop' }) },
      { weight: 1, arbitrary: fc.constant({ delta: {}, finish_reason: 'abort' }) },
    ),
  )
  .map(([index, rest]) => ({ index, ...rest }))

const event = fc.oneof(
  { weight: 20, arbitrary: fc.array(choice, { minLength: 1, maxLength: 2 }).map((choices) => ({ choices })) },
  { weight: 1, arbitrary: fc.constant({ error: { message: 'overloaded' } }) },
)

const reply = fc.tuple(
  fc
    .array(event, { minLength: 1, maxLength: 40 })
    .map((events) => Buffer.from(events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''))),
  fc.array(fc.nat(), { maxLength: 6 }),
)

interface Reading {
  readonly reads: readonly (readonly Delta[])[]
  readonly failure: string | undefined
}

/** @param withChunks Each chunk then comes before its deltas, so none of them follow each other. */
async function read(bytes: Buffer, places: readonly number[], withChunks: boolean): Promise<Reading> {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const body = (async function* (): AsyncGenerator<Uint8Array> {
    for (const [at, edge] of edges.slice(1).entries()) yield bytes.subarray(edges[at], edge)
  })()
  const reads: Delta[][] = []
  try {
    const options = { withChunks, choiceCount: 1 }
    for await (const deltas of readAnswer({ headers: {}, body }, chat.createDecoder(), options)) {
      reads.push(deltas.filter(({ type }) => type !== 'chunk'))
    }
    return { reads, failure: undefined }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { reads, failure: error.message }
  }
}

/** Choice and kind of a text; `undefined` for other deltas. */
function kindOf(delta: Delta): string | undefined {
  return isContent(delta) && delta.type !== 'tool' ? `${delta.index} ${delta.type}` : undefined
}

/** The deltas of a read as text, with the texts joined that follow each other. */
function joined(deltas: readonly Delta[]): string[] {
  const lines: { kind: string | undefined; text: string }[] = []
  for (const delta of deltas) {
    const kind = kindOf(delta)
    const last = lines.at(-1)
    if (kind !== undefined && last?.kind === kind && 'text' in delta) last.text += delta.text
    else lines.push({ kind, text: kind !== undefined && 'text' in delta ? delta.text : JSON.stringify(delta) })
  }
  return lines.map(({ kind, text }) => `${kind}: ${text}`)
}

test('any answer, cut anywhere', async () => {
  const property = fc.asyncProperty(reply, async ([bytes, places]) => {
    const plain = await read(bytes, places, false)
    const apart = await read(bytes, places, true)
    expect(plain.failure).toBe(apart.failure)
    expect(plain.reads.map(joined)).toEqual(apart.reads.filter(({ length }) => length > 0).map(joined))
    for (const deltas of plain.reads) expect(joined(deltas)).toHaveLength(deltas.length)
  })
  await fc.assert(property, samples(50))
})
