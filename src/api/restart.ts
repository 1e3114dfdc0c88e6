/** Answers that a gateway starts again in the middle, as when it lost its backend: what came before is no part of them. */

import type { JsonObject } from '../io/json/json.ts'
import type { Fold } from '../stream/answer.ts'
import type { ChunkDecoder } from '../stream/reply-decoder.ts'

/** Called with each chunk. @returns whether it starts another answer than that of the chunks before. */
export type StartDetector = (chunk: JsonObject) => boolean

/** @param create Makes the decoder of one answer. */
export function restartingDecoder(create: () => ChunkDecoder, startsAnother: StartDetector): ChunkDecoder {
  let decoder = create()
  return {
    decodeWhole: (answer, exact) => decoder.decodeWhole(answer, exact),
    decodeChunk(chunk, exact) {
      if (!startsAnother(chunk)) return decoder.decodeChunk(chunk, exact)
      decoder = create()
      return [{ type: 'restart' }, ...decoder.decodeChunk(chunk, exact)]
    },
  }
}

/** @param create Makes the fold of one answer. */
export function restartingFold(create: () => Fold, startsAnother: StartDetector): Fold {
  let fold = create()
  return {
    add(chunk) {
      if (startsAnother(chunk)) fold = create()
      fold.add(chunk)
    },
    build: () => fold.build(),
  }
}
