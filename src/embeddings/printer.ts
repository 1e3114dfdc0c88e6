import type { EmbeddedBatch } from '../api/embeddings/embed.ts'

/** One way of writing embeddings. */
export interface EmbeddingPrinter {
  /** The embeddings of the next texts, in order. */
  take(batch: EmbeddedBatch): Promise<void>
  /** There are no more. */
  finish(): Promise<void>
  /**
   * The rest does not come: writes what has arrived, so that it can be used.
   * @returns whether anything of it is written.
   */
  breakOff(): Promise<boolean>
}
