/** Embeds texts (section 2.3), in as many requests as needed. */

import { exitCodes, NetworkError, StatusError, withAddedHint } from '../../errors.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { mapInOrder } from '../in-order.ts'
import { operations, type Sender } from '../operations.ts'
import { decodeEmbeddings, type EmbeddingsReply } from './decode.ts'

export interface InputText {
  readonly text: string
  /** Number of its first line in its document, from 1. */
  readonly line: number
  /** What the output has beside its embedding, as JSON. */
  readonly kept?: readonly string[] | undefined
}

/** The texts of one request. */
export interface TextGroup {
  /** Index of the first text among those of all requests. */
  readonly first: number
  readonly items: readonly InputText[]
  /** Those of `items`. */
  readonly texts: readonly string[]
}

/**
 * In texts. The specification states no limit. With 64 texts the reply is about a megabyte, and the round trip no longer
 * matters.
 */
export const defaultGroupSize = 64

/**
 * About 25,000 tokens, so that requests with long texts take seconds, and a retry is cheap. A longer text is sent in a
 * request of its own: only the model knows whether it is too long.
 */
const maxCharacters = 100_000

/**
 * @param texts In arrays as they are read.
 * @param maxTexts Per group.
 */
export async function* groupsOf(
  texts: Iterable<readonly InputText[]> | AsyncIterable<readonly InputText[]>,
  maxTexts = defaultGroupSize,
): AsyncGenerator<TextGroup, void, undefined> {
  let [first, characters] = [0, 0]
  let items: InputText[] = []
  const group = (): TextGroup => ({ first, items, texts: items.map(({ text }) => text) })
  for await (const array of texts) {
    for (const item of array) {
      const { length } = item.text
      if (items.length > 0 && (items.length >= maxTexts || characters + length > maxCharacters)) {
        yield group()
        first += items.length
        ;[items, characters] = [[], 0]
      }
      items.push(item)
      characters += length
    }
  }
  if (items.length > 0) yield group()
}

export type EmbeddedGroup = TextGroup & EmbeddingsReply

/**
 * Embeds the groups, and yields them in order.
 * @param body The request's fields except `input`.
 * @param placeOf Names the place of texts for the user.
 * @throws StatusError, NetworkError, also for embeddings that differ in length.
 */
export async function* embedGroups(
  groups: AsyncIterable<TextGroup>,
  body: JsonObject,
  client: Sender,
  placeOf: PlaceOf,
): AsyncGenerator<EmbeddedGroup, void, undefined> {
  let dimensions: number | undefined
  for await (const embedded of mapInOrder(groups, (group) => embedGroup(group, body, client, placeOf))) {
    for (const { length } of embedded.vectors) {
      dimensions ??= length
      if (length === dimensions) continue
      throw new NetworkError(`the service sent embeddings of different lengths: ${dimensions} and ${length} dimensions`)
    }
    yield embedded
  }
}

/** @param first Index among the texts of all requests. */
type PlaceOf = (first: number, count: number) => string

async function embedGroup(
  group: TextGroup,
  body: JsonObject,
  client: Sender,
  placeOf: PlaceOf,
): Promise<EmbeddedGroup> {
  try {
    const reply = await client.send(operations.embeddings, requestBody(body, group))
    return { ...group, ...decodeEmbeddings(reply, group.texts.length, body.encoding_format === 'base64') }
  } catch (error) {
    const isOfTexts =
      error instanceof StatusError && (error.code === exitCodes.failed || (error.isPermanent && !error.isUsedUp))
    throw isOfTexts ? withPlaces(error, group, placeOf) : error
  }
}

/** @returns a warning if a service does not know `dimensions`, and sends as many as the model has. */
export function otherDimensions(
  { dimensions }: JsonObject,
  [vector]: readonly ArrayLike<unknown>[],
): string | undefined {
  if (typeof dimensions !== 'number' || !vector || vector.length === dimensions) return undefined
  return `the service sent embeddings of ${vector.length} dimensions, not ${dimensions}`
}

/** One text is sent as a string, several as an array (section 2.3). */
export function requestBody(body: JsonObject, { texts }: TextGroup): JsonObject {
  const [text] = texts
  return { ...body, input: texts.length === 1 && text !== undefined ? text : [...texts] }
}

/** Adds hints to an error: the service's own indexes start at 0 in each request, and it may refuse blank texts. */
function withPlaces(error: StatusError, { first, texts }: TextGroup, placeOf: PlaceOf): StatusError {
  const blank = texts.findIndex((text) => text.trim() === '')
  const hints = [
    ...(first > 0 || texts.length > 1 ? [`the request contained ${placeOf(first, texts.length)}`] : []),
    ...(blank === -1 ? [] : [`${placeOf(first + blank, 1)} is blank; not every model accepts blank texts`]),
  ]
  return hints.reduce(withAddedHint, error)
}
