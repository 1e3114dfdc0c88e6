/** Embeds texts (section 2.3), in as many requests as needed. */

import { exitCodes, NetworkError, StatusError, withAddedHint } from '../../errors.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { mapConcurrently } from '../concurrent-map.ts'
import { operations, type Sender } from '../operations.ts'
import { decodeEmbeddings, type EmbeddingsReply } from './decode.ts'

export interface InputText {
  readonly text: string
  /** Number of its first line in its document, from 1. */
  readonly line: number
  /** Other values of its output row, as JSON. */
  readonly kept?: readonly string[] | undefined
}

/** The texts of one request. */
export interface TextGroup {
  /** Index of the first text among those of all requests. */
  readonly first: number
  readonly items: readonly InputText[]
  /** The texts of `items`. */
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

/** @param texts In arrays, as they are read. @param maxTexts Per group. */
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

/** Embeds the texts of one group. @throws StatusError, NetworkError */
export type Embed = (texts: readonly string[]) => Promise<EmbeddingsReply>

/** @param body The request's fields except `input`. @returns embeds texts in one request. */
export function embedBy(client: Sender, body: JsonObject, signal?: AbortSignal): Embed {
  return async (texts) => {
    const reply = await client.send(operations.embeddings, requestBody(body, texts), { signal })
    return decodeEmbeddings(reply, texts.length, body.encoding_format === 'base64')
  }
}

/** After so many, a request that is refused is not halved: to find each text takes two requests. */
const maxRefusedInRow = 64

/** @param first Index among the texts of all requests. */
type PlaceOf = (first: number, count: number) => string

/**
 * Embeds the groups, and yields them in order, in pieces where a text is refused, such as one that is too long.
 * @param placeOf Names the place of texts for the user.
 * @param options `onRefused` gets the error for a refused text, and its index (default: it is thrown). `dimensions`: of the
 *   embeddings that such a request got before.
 * @throws StatusError, NetworkError, also for embeddings that differ in length.
 */
export async function* embedGroups(
  groups: AsyncIterable<TextGroup>,
  embed: Embed,
  placeOf: PlaceOf,
  {
    onRefused,
    dimensions,
  }: { onRefused?: ((error: StatusError, index: number) => void) | undefined; dimensions?: number } = {},
): AsyncGenerator<EmbeddedGroup, void, undefined> {
  let isAccepted = dimensions !== undefined
  let refusedInRow = 0
  const embedWhole = async (group: TextGroup): Promise<EmbeddedGroup> => {
    const embeddings = await embed(group.texts)
    isAccepted = true
    refusedInRow = 0
    return { ...group, ...embeddings }
  }
  /** Halves a group until the texts are found that are refused. */
  const embedPieces = async (group: TextGroup): Promise<(EmbeddedGroup | { first: number; error: StatusError })[]> => {
    try {
      return [await embedWhole(group)]
    } catch (error) {
      const { first, texts } = group
      const isOfTexts =
        error instanceof StatusError && (error.code === exitCodes.failed || (error.isPermanent && !error.isUsedUp))
      if (!isOfTexts) throw error
      const placed = withPlaces(error, group, isAccepted, placeOf)
      if (texts.length === 1 || refusedInRow >= maxRefusedInRow) {
        refusedInRow += texts.length
        return texts.map((_, at) => ({ first: first + at, error: placed }))
      }
      const part = (start: number, end: number): TextGroup => {
        return { first: first + start, items: group.items.slice(start, end), texts: texts.slice(start, end) }
      }
      // What is refused for every text would be refused a hundred times.
      const shortest = texts.reduce((least, text, at) => (text.length < (texts[least]?.length ?? 0) ? at : least), 0)
      if (!isAccepted) await embedWhole(part(shortest, shortest + 1)).catch(() => Promise.reject(placed))
      const half = texts.length >> 1
      return [...(await embedPieces(part(0, half))), ...(await embedPieces(part(half, texts.length)))]
    }
  }
  for await (const pieces of mapConcurrently(groups, embedPieces)) {
    for (const piece of pieces) {
      if ('error' in piece) {
        if (!onRefused) throw piece.error
        onRefused(piece.error, piece.first)
        continue
      }
      for (const { length } of piece.vectors) {
        dimensions ??= length
        if (length === dimensions) continue
        const lengths = `${dimensions} and ${length} dimensions`
        throw new NetworkError(`the service sent embeddings of different lengths: ${lengths}`)
      }
      yield piece
    }
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
export function requestBody(body: JsonObject, texts: readonly string[]): JsonObject {
  const [text] = texts
  return { ...body, input: texts.length === 1 && text !== undefined ? text : [...texts] }
}

/** Adds hints to an error: the service's own indexes start at 0 in each request, and it may refuse blank texts. */
function withPlaces(
  error: StatusError,
  { first, texts }: TextGroup,
  hasOthers: boolean,
  placeOf: PlaceOf,
): StatusError {
  const blank = texts.findIndex((text) => text.trim() === '')
  const hints = [
    ...(hasOthers || texts.length > 1 ? [`the request contained ${placeOf(first, texts.length)}`] : []),
    ...(blank === -1 ? [] : [`${placeOf(first + blank, 1)} is blank; not every model accepts blank texts`]),
  ]
  return hints.reduce(withAddedHint, error)
}
