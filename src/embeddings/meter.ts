/** Counts and time of a run, for `--usage`. */

import type { EmbeddedBatch } from '../api/embeddings/embed.ts'
import { decodeUsage } from '../stream/delta.ts'

export class EmbeddingMeter {
  readonly #now: () => number
  readonly #started: number
  #requestCount = 0
  /** Nothing as soon as a reply doesn't tell. */
  #promptTokens: number | undefined = 0
  textCount = 0

  constructor(now: () => number) {
    this.#now = now
    this.#started = now()
  }

  note({ texts, whole }: EmbeddedBatch): void {
    const tokens = decodeUsage(whole.usage)?.promptTokens
    this.#promptTokens =
      this.#promptTokens === undefined || tokens === undefined ? undefined : this.#promptTokens + tokens
    this.#requestCount += 1
    this.textCount += texts.length
  }

  summary(): string {
    const tokens = this.#promptTokens === undefined ? 'tokens not told' : counted(this.#promptTokens, 'prompt token')
    const seconds = ((this.#now() - this.#started) / 1000).toFixed(2)
    return [tokens, counted(this.textCount, 'text'), counted(this.#requestCount, 'request'), `${seconds} s`].join(' · ')
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
