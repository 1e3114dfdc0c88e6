/** In characters. Shorter keys are not masked: ordinary text might contain them. */
const minMaskedLength = 8

export const maskedKey = '[key]'

/** The API keys of this run. Only this class masks them. */
export class Secrets {
  readonly #known = new Set<string>()

  get isEmpty(): boolean {
    return this.#known.size === 0
  }

  add(secret: string): void {
    if (secret.length >= minMaskedLength) this.#known.add(secret)
  }

  mask(text: string): string {
    let masked = text
    for (const secret of this.#known) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, maskedKey)
    }
    return masked
  }

  /** Also masks a key that is cut off at the end of the text. */
  maskCut(text: string): string {
    const masked = this.mask(text)
    const length = this.partialKeyLength(masked)
    return length < minMaskedLength ? masked : masked.slice(0, -length) + maskedKey
  }

  /** The length of the longest suffix of a text that is a prefix of a key. */
  partialKeyLength(text: string): number {
    let longest = 0
    for (const secret of this.#known) {
      const first = secret.charAt(0)
      let start = text.indexOf(first, Math.max(0, text.length - secret.length + 1))
      while (start !== -1 && !secret.startsWith(text.slice(start))) start = text.indexOf(first, start + 1)
      if (start !== -1) longest = Math.max(longest, text.length - start)
    }
    return longest
  }
}
