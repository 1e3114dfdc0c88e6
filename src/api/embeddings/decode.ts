/** The reply to an embeddings request, section 2.3: each text must have got its own embedding. */

import { NetworkError } from '../../errors.ts'
import { isObject, type Json, type JsonObject, quote } from '../../io/json.ts'

/** Numbers, at least one. */
export type Vector = readonly number[]

export interface EmbeddingsReply {
  /** One for each text, in their order. */
  readonly vectors: readonly Vector[]
  /** All that the service sent, `data` in that order too. */
  readonly whole: JsonObject & { readonly data: JsonObject[] }
}

/**
 * @param count How many texts were sent.
 * @param isBase64 Whether the request asked for base64: little-endian floats of 32 bits.
 * @throws NetworkError when an embedding is missing, doubled, of no text, or is no list of numbers.
 */
export function decodeEmbeddings(reply: Json, count: number, isBase64: boolean): EmbeddingsReply {
  if (!isObject(reply) || !Array.isArray(reply.data)) throw unreadable('a reply without embeddings')
  const data = byIndex(reply.data, count)
  return { vectors: data.map((item) => vectorOf(item.embedding, isBase64)), whole: { ...reply, data } }
}

/** In order of their index, not as they stand; as they stand only where the service numbers nothing at all. */
function byIndex(items: readonly Json[], count: number): JsonObject[] {
  const isNumbered = items.some((item) => isObject(item) && item.index !== undefined)
  const ordered = new Map<number, JsonObject>()
  for (const [position, item] of items.entries()) {
    if (!isObject(item)) throw unreadable(`${quote(item)} where an embedding was expected`)
    const index = isNumbered ? item.index : position
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw unreadable(`an embedding with index ${quote(index)} in reply to ${textCount(count)}`)
    }
    if (ordered.has(index)) throw unreadable(`two embeddings with index ${index}`)
    ordered.set(index, item)
  }
  return Array.from({ length: count }, (_, index) => {
    const item = ordered.get(index)
    if (!item) throw unreadable(`no embedding with index ${index} in reply to ${textCount(count)}`)
    return item
  })
}

function vectorOf(embedding: Json | undefined, isBase64: boolean): Vector {
  const vector = isBase64 && typeof embedding === 'string' ? decodeFloats(embedding) : embedding
  if (Array.isArray(vector) && vector.length > 0 && vector.every(isFiniteNumber)) return vector
  throw unreadable(`an embedding that is no list of numbers: ${quote(embedding)}`)
}

function decodeFloats(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4 !== 0) return undefined
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}

/** JSON has no infinities, but numbers that overflow to one. */
function isFiniteNumber(value: Json): value is number {
  return Number.isFinite(value)
}

function textCount(count: number): string {
  return count === 1 ? 'one text' : `${count} texts`
}

function unreadable(what: string): NetworkError {
  return new NetworkError(`the service sent ${what}`)
}

/** A reply, and the index over the whole run that its first embedding has. */
interface NumberedReply extends EmbeddingsReply {
  readonly first: number
}

/**
 * One reply out of those to several requests: all embeddings, with their index over the whole run, and the sum of what was
 * used, where each reply has it. The rest is the first one's.
 */
export function mergeReplies(batches: readonly NumberedReply[]): JsonObject {
  const [first, ...others] = batches.map(({ whole }) => whole)
  if (!first) return {}
  const data = batches.flatMap(({ first, whole }) => whole.data.map((item, at) => ({ ...item, index: first + at })))
  if (others.length === 0) return { ...first, data }
  const { usage, ...rest } = first
  const sum = others.reduce<Json | undefined>((sum, other) => addUsage(sum, other.usage), usage)
  return { ...rest, data, ...(sum !== undefined && { usage: sum }) }
}

/** Numbers are added; anything else is that of the first reply. */
function addUsage(sum: Json | undefined, usage: Json | undefined): Json | undefined {
  if (!isObject(sum) || !isObject(usage)) return undefined
  const added: JsonObject = { ...usage, ...sum }
  for (const [key, value] of Object.entries(usage)) {
    const before = sum[key]
    if (typeof before === 'number' && typeof value === 'number') added[key] = before + value
  }
  return added
}
