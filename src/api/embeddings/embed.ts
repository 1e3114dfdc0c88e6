/** From texts to embeddings (section 2.3), over as many requests as it takes. */

import { exitCodes, NetworkError, StatusError, withAddedHint } from '../../errors.ts'
import type { JsonObject } from '../../io/json.ts'
import { mapInOrder, maxConcurrentRequests } from '../in-order.ts'
import { operations, type Sender } from '../operations.ts'
import { decodeEmbeddings, type EmbeddingsReply } from './decode.ts'

/** Texts that travel in one request. */
export interface Batch {
  /** Index of the first of them over the whole run. */
  readonly first: number
  readonly texts: readonly string[]
}

/**
 * Texts in one request, unless somebody knows better. The specification names no limit: with 64 texts the reply is about a
 * megabyte, and the way there and back no longer counts.
 */
export const defaultBatchSize = 64

/**
 * About 25,000 tokens, so that a request of long texts is answered within seconds, and one that fails costs no more than
 * that to send again. A text that is longer travels alone: whether it is too long is the model's to say.
 */
const mostCharacters = 100_000

/** @param most Texts in one batch. */
export function batchesOf(texts: readonly string[], most = defaultBatchSize): Batch[] {
  const batches: { first: number; texts: string[] }[] = []
  let characters = 0
  for (const [index, text] of texts.entries()) {
    const batch = batches.at(-1)
    characters += text.length
    if (batch && batch.texts.length < most && characters <= mostCharacters) batch.texts.push(text)
    else {
      batches.push({ first: index, texts: [text] })
      characters = text.length
    }
  }
  return batches
}

export type EmbeddedBatch = Batch & EmbeddingsReply

/**
 * The batches with their embeddings, in order.
 * @param body Everything but the `input`.
 * @throws StatusError, NetworkError, also for embeddings that differ in length.
 */
export async function* embedBatches(
  batches: readonly Batch[],
  body: JsonObject,
  client: Sender,
): AsyncGenerator<EmbeddedBatch, void, undefined> {
  let dimensions: number | undefined
  for await (const embedded of mapInOrder(batches, maxConcurrentRequests, (batch) => embedBatch(batch, body, client))) {
    for (const { length } of embedded.vectors) {
      dimensions ??= length
      if (length === dimensions) continue
      throw new NetworkError(`the service sent embeddings of ${dimensions} and of ${length} dimensions`)
    }
    yield embedded
  }
}

async function embedBatch(batch: Batch, body: JsonObject, client: Sender): Promise<EmbeddedBatch> {
  try {
    const { json } = await client.send(operations.embeddings, requestBody(body, batch))
    return { ...batch, ...decodeEmbeddings(json, batch.texts.length, body.encoding_format === 'base64') }
  } catch (error) {
    throw error instanceof StatusError && error.code === exitCodes.failed ? withPlace(error, batch) : error
  }
}

/** One text is sent as a string, several as an array (section 2.3). */
export function requestBody(body: JsonObject, { texts }: Batch): JsonObject {
  const [text] = texts
  return { ...body, input: texts.length === 1 && text !== undefined ? text : [...texts] }
}

/** The service counts from 0 in each request, and may mind a blank text without saying so. */
function withPlace(error: StatusError, { first, texts }: Batch): StatusError {
  const blank = texts.findIndex((text) => text.trim() === '')
  const hints = [
    ...(first > 0 ? [`the request held the texts with index ${first} to ${first + texts.length - 1}`] : []),
    ...(blank === -1 ? [] : [`the text with index ${first + blank} is blank, which not every model takes`]),
  ]
  return hints.reduce(withAddedHint, error)
}
