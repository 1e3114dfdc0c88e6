/** From texts to embeddings, over as many requests as it takes. */

import { NetworkError, StatusError, exitCodes, withAddedHint } from '../../errors.ts'
import type { JsonObject } from '../../io/json.ts'
import { inOrder } from '../in-order.ts'
import type { Operation, Reply } from '../operation.ts'
import type { Batch } from './batches.ts'
import { decodeEmbeddings, type EmbeddingsReply } from './decode.ts'
import { embeddings } from './operation.ts'

export type EmbeddedBatch = Batch & EmbeddingsReply

interface Sender {
  send(operation: Operation, body: JsonObject): Promise<Reply>
}

/** Requests under way at a time: enough to keep the service busy, and too few to be taken for a flood. */
const mostAtOnce = 4

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
  for await (const embedded of inOrder(batches, mostAtOnce, (batch) => embedBatch(batch, body, client))) {
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
    const { json } = await client.send(embeddings, requestBody(body, batch))
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
