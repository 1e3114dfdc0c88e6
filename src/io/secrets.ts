/** Shorter keys are not masked: they would turn up in ordinary text. */
const shortestMasked = 8

export const maskedKey = '[key]'

/** The keys this run has learnt, and the one place that takes them out of text. */
export class Secrets {
  readonly #known = new Set<string>()

  add(secret: string): void {
    if (secret.length >= shortestMasked) this.#known.add(secret)
  }

  mask(text: string): string {
    let masked = text
    for (const secret of this.#known) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, maskedKey)
    }
    return masked
  }
}
