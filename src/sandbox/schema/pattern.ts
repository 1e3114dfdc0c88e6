/** Texts that a regular expression matches. Whoever takes one tests it: lookarounds and back references are passed over. */

import { parsePattern, type Part } from './pattern-parser.ts'

const mostRepeats = 64

/**
 * @param shortest Fewest characters, as far as the pattern's repetitions can be stretched to it.
 * @param at Makes texts differ where the pattern leaves a choice.
 */
export function* textsForPattern(pattern: string, shortest: number, at: number): Generator<string> {
  const part = parsePattern(pattern)
  if (!part) return
  for (const extra of [shortest > 0 ? 0 : 1, 0, 2, 4, 8, 16, 32, mostRepeats]) {
    const text = new Renderer(extra, at).render(part)
    yield text
    if (text.length < shortest) {
      // Only a pattern without an end takes more after its match.
      yield text.padEnd(shortest, '0')
      for (let more = extra + 1; more <= extra + shortest; more++) yield new Renderer(more, at).render(part)
    }
  }
}

class Renderer {
  readonly #extra: number
  #turn: number

  /** @param extra How often a part repeats beyond the fewest times that the pattern asks for. */
  constructor(extra: number, turn: number) {
    this.#extra = extra
    this.#turn = turn
  }

  render(part: Part): string {
    switch (part.type) {
      case 'characters':
        return part.characters[this.#turn++ % Math.max(1, part.characters.length)] ?? ''
      case 'sequence':
        return part.parts.map((inner) => this.render(inner)).join('')
      case 'choice': {
        const chosen = part.parts[this.#turn % part.parts.length]
        return chosen ? this.render(chosen) : ''
      }
      case 'repeat': {
        const count = Math.min(part.most, part.fewest + this.#extra)
        return Array.from({ length: count }, () => this.render(part.part)).join('')
      }
    }
  }
}
