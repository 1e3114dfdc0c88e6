/** The beginnings of prompts that were sent before: the service need not compute them again, and charges less for them. */

import { createHash } from 'node:crypto'

/** What is cached as a whole: the tools of a request, a turn, or a text to complete. */
export interface PromptPart {
  readonly content: string
  readonly tokens: number
}

export type PromptTokens = ReturnType<PromptCache['read']>

/** Bounds the memory: a beginning takes about 100 bytes. */
const maxBeginnings = 10_000

export class PromptCache {
  /** Hashes, the last used one last. */
  readonly #beginnings = new Set<string>()

  /** Counts the tokens of a prompt, and those of the beginning that was sent before, and remembers its beginnings. */
  read(model: string, parts: readonly PromptPart[]): { readonly all: number; readonly cached: number } {
    let [beginning, all, cached] = [model, 0, 0]
    for (const { content, tokens } of parts) {
      beginning = createHash('sha256').update(`${beginning}\n${content}`).digest('base64')
      all += tokens
      if (this.#beginnings.delete(beginning)) cached = all
      this.#beginnings.add(beginning)
      const [oldest = ''] = this.#beginnings
      if (this.#beginnings.size > maxBeginnings) this.#beginnings.delete(oldest)
    }
    return { all, cached }
  }
}
