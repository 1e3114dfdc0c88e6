/** Parses the part of regular expressions that schemas use. */

import { classOf, negated } from './character-classes.ts'

export type Part =
  | { readonly type: 'characters'; readonly characters: readonly string[] }
  | { readonly type: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | { readonly type: 'repeat'; readonly part: Part; readonly fewest: number; readonly most: number }

const nothing: Part = { type: 'sequence', parts: [] }

/** @returns nothing for what is no regular expression. */
export function parsePattern(pattern: string): Part | undefined {
  try {
    void new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
  return new Parser(pattern).choice()
}

class Parser {
  readonly #characters: readonly string[]
  #at = 0

  constructor(pattern: string) {
    this.#characters = [...pattern]
  }

  choice(): Part {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return parts.length === 1 ? (parts[0] as Part) : { type: 'choice', parts }
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.#characters.length && !'|)'.includes(this.#peek())) parts.push(this.#repeated())
    return { type: 'sequence', parts }
  }

  #repeated(): Part {
    const part = this.#atom()
    const [fewest, most] = this.#quantifier()
    // A lazy quantifier matches the same texts.
    this.#take('?')
    return fewest === 1 && most === 1 ? part : { type: 'repeat', part, fewest, most }
  }

  #quantifier(): [fewest: number, most: number] {
    if (this.#take('*')) return [0, Infinity]
    if (this.#take('+')) return [1, Infinity]
    if (this.#take('?')) return [0, 1]
    if (!this.#take('{')) return [1, 1]
    const [fewest = '', most] = this.#until('}').split(',')
    if (most === undefined) return [Number(fewest), Number(fewest)]
    return [Number(fewest), most === '' ? Infinity : Number(most)]
  }

  #atom(): Part {
    const character = this.#next()
    if (character === '(') return this.#group()
    if (character === '[') return { type: 'characters', characters: this.#class() }
    if (character === '.') return { type: 'characters', characters: classOf('w') }
    if (character === '^' || character === '$') return nothing
    if (character === '\\') return this.#escaped()
    return { type: 'characters', characters: [character] }
  }

  #group(): Part {
    const look = this.#skip(/^\?<?[=!]/)
    if (look === '') this.#skip(/^\?(?::|<[^>]*>|[a-z-]*:)/)
    const part = this.choice()
    this.#take(')')
    return look === '' ? part : nothing
  }

  #class(): string[] {
    const isNegated = this.#take('^')
    const members: string[] = []
    while (this.#peek() !== ']') {
      const [first = '', ...others] = this.#member()
      const isRange = others.length === 0 && this.#peek() === '-' && this.#characters[this.#at + 1] !== ']'
      if (isRange) {
        this.#next()
        const last = this.#member()[0] ?? first
        // Enough to choose from, however wide the range.
        for (let code = first.codePointAt(0) ?? 0; code <= (last.codePointAt(0) ?? 0) && members.length < 200; code++) {
          members.push(String.fromCodePoint(code))
        }
      } else members.push(first, ...others)
    }
    this.#next()
    return isNegated ? negated(members) : members
  }

  #member(): readonly string[] {
    const character = this.#next()
    if (character !== '\\') return [character]
    return this.#escape()
  }

  #escaped(): Part {
    const next = this.#peek()
    if (/[bB1-9k]/.test(next)) {
      this.#skip(/^(?:k<[^>]*>|[1-9]\d*|[bB])/)
      return nothing
    }
    return { type: 'characters', characters: this.#escape() }
  }

  #escape(): readonly string[] {
    const letter = this.#next()
    if (letter === 'u' || letter === 'x') {
      const code = this.#skip(letter === 'x' ? /^[\da-f]{2}/i : /^(?:\{[\da-f]+\}|[\da-f]{4})/i)
      return [String.fromCodePoint(Number.parseInt(code.replace(/[{}]/g, ''), 16))]
    }
    return classOf(letter === 'p' || letter === 'P' ? letter + this.#skip(/^\{[^}]*\}/) : letter)
  }

  #peek(): string {
    return this.#characters[this.#at] ?? ''
  }

  #next(): string {
    return this.#characters[this.#at++] ?? ''
  }

  #rest(): string {
    return this.#characters.slice(this.#at).join('')
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at++
    return true
  }

  #until(end: string): string {
    let text = ''
    while (this.#at < this.#characters.length && !this.#take(end)) text += this.#next()
    return text
  }

  #skip(pattern: RegExp): string {
    const found = pattern.exec(this.#rest())?.[0] ?? ''
    this.#at += [...found].length
    return found
  }
}
