/** Decodes the reply to an embeddings request (section 2.3), which must have one embedding per text. */

import { NetworkError } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../io/json/json.ts'
import { quote } from '../../io/json/print.ts'
import { valueEnd, visitElements, visitMembers } from '../../io/json/scan.ts'
import { pluralize } from '../../io/text/plural.ts'
import type { JsonReply } from '../operations.ts'

/** At least one number. */
export type Vector = readonly number[]

export type EmbeddingsReply = Readonly<ReturnType<typeof decodeEmbeddings>>

/** One of several replies. `first`: index of its first embedding among those of all. */
export type PartialReply = Pick<EmbeddingsReply, 'whole'> & { readonly first: number }

/**
 * @param count The number of texts sent.
 * @param isBase64 Whether the request asked for base64: little-endian floats of 32 bits.
 * @throws NetworkError when an embedding is missing, duplicate, of no text, or not a list of numbers.
 */
export function decodeEmbeddings(reply: JsonReply, count: number, isBase64: boolean) {
  const { json, text } = reply
  if (!isObject(json) || !Array.isArray(json.data)) throw invalidReply('a reply without embeddings')
  const items = json.data
  const data = byIndex(items, count)
  /** One per text, in the order of the texts. */
  const vectors = data.map((item) => vectorOf(item.embedding, isBase64))
  /** The vectors as JSON arrays without spaces, in the service's own digits: to format numbers takes longer than to parse them. */
  const arrayTexts = (): string[] => {
    const texts = readArrayTexts(text)
    const ofItem = new Map(items.map((item, at) => [item, texts[at]]))
    return data.map((item, at) => ofItem.get(item) ?? JSON.stringify(vectors[at]))
  }
  /** The whole reply for printing, with `data` in that order too, and the service's own digits. */
  const whole = (): JsonObject & { data: JsonObject[] } => {
    // Exact numbers change no shape: `json` was checked above.
    const exact = reply.exact() as JsonObject & { data: Json[] }
    return { ...exact, data: byIndex(exact.data, count) }
  }
  return { vectors, arrayTexts, usage: json.usage, whole }
}

/**
 * Reads the embeddings in the text of a reply, in the service's own digits.
 * @param reply Valid JSON: an object whose `data` is an array.
 * @returns for each element the text of its `embedding` without spaces, if that is an array.
 */
export function readArrayTexts(reply: string): (string | undefined)[] {
  let texts: (string | undefined)[] = []
  visitMembers(reply, reply.search(/\S/), (name, at) => {
    if (name !== 'data' || reply[at] !== '[') return valueEnd(reply, at)
    // The last value counts of a name that comes twice.
    texts = []
    return visitElements(reply, at, (item) => {
      const [text, end] = readArrayText(reply, item)
      texts.push(text)
      return end
    })
  })
  return texts
}

function readArrayText(reply: string, item: number): [text: string | undefined, end: number] {
  if (reply[item] !== '{') return [undefined, valueEnd(reply, item)]
  let text: string | undefined
  const itemEnd = visitMembers(reply, item, (name, at) => {
    const end = valueEnd(reply, at)
    if (name === 'embedding') text = reply[at] === '[' ? withoutSpaces(reply.slice(at, end)) : undefined
    return end
  })
  return [text, itemEnd]
}

/** Native searches first: most services write no spaces. */
function withoutSpaces(array: string): string {
  return [' ', '\n', '\r', '\t'].some((space) => array.includes(space)) ? array.replace(/\s+/g, '') : array
}

/** Sorts by index. Without any index the order is that of the reply. */
function byIndex(items: readonly Json[], count: number): JsonObject[] {
  const isNumbered = items.some((item) => isObject(item) && item.index !== undefined)
  const ordered = new Map<number, JsonObject>()
  for (const [position, item] of items.entries()) {
    if (!isObject(item)) throw invalidReply(`${quote(item)} instead of an embedding`)
    const index = isNumbered ? item.index : position
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw invalidReply(`an embedding with index ${quote(index)} for ${pluralize(count, 'text')}`)
    }
    if (ordered.has(index)) throw invalidReply(`two embeddings with index ${index}`)
    ordered.set(index, item)
  }
  return Array.from({ length: count }, (_, index) => {
    const item = ordered.get(index)
    if (!item) throw invalidReply(`no embedding with index ${index} for ${pluralize(count, 'text')}`)
    return item
  })
}

function vectorOf(embedding: Json | undefined, isBase64: boolean): Vector {
  const vector = isBase64 && typeof embedding === 'string' ? decodeFloats(embedding) : embedding
  // JSON numbers can overflow to infinity.
  const isVector = Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite)
  if (isVector) return vector as Vector
  throw invalidReply(`an embedding that is not a list of numbers: ${quote(embedding)}`)
}

function decodeFloats(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4 !== 0) return undefined
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}

function invalidReply(what: string): NetworkError {
  return new NetworkError(`the service sent ${what}`)
}

/**
 * Merges the replies to several requests: all embeddings, numbered over all requests, and the sum of `usage` if every
 * reply has it. All other keys are those of the first reply.
 */
export function mergeReplies(replies: readonly PartialReply[]): JsonObject {
  const wholes = replies.map(({ first: start, whole }) => {
    const reply = whole()
    return { ...reply, data: reply.data.map((item, at) => ({ ...item, index: start + at })) }
  })
  const [first, ...others] = wholes
  if (!first || others.length === 0) return first ?? {}
  const { usage, ...rest } = first as JsonObject
  const sum = others.reduce<Json | undefined>((sum, other: JsonObject) => addUsage(sum, other.usage), usage)
  return { ...rest, data: wholes.flatMap(({ data }) => data), ...(sum !== undefined && { usage: sum }) }
}

/** Adds the numbers; other values are those of the first reply. */
function addUsage(sum: Json | undefined, usage: Json | undefined): Json | undefined {
  if (!isObject(sum) || !isObject(usage)) return undefined
  const added: JsonObject = { ...usage, ...sum }
  for (const [key, value] of Object.entries(usage)) {
    const before = sum[key]
    if (typeof before === 'number' && typeof value === 'number') added[key] = before + value
  }
  return added
}
