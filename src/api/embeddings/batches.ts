/** Many texts as several requests. */

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
export const usualBatchSize = 64

/**
 * About 25,000 tokens, so that a request of long texts is answered within seconds, and one that fails costs no more than
 * that to send again. A text that is longer travels alone: whether it is too long is the model's to say.
 */
const mostCharacters = 100_000

/** @param most Texts in one batch. */
export function batchesOf(texts: readonly string[], most = usualBatchSize): Batch[] {
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
