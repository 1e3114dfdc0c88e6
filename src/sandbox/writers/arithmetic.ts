import type { Task } from './task.ts'

/** Works out sums such as `17 * (2 + 3)`. */
export function writeArithmetic({ instruction }: Task, [whole, tail]: RegExpExecArray): string | undefined {
  const expression = (tail ?? whole).replace(/[=?\s]+$/, '').trim()
  if (!/\d\s*[+\-*/^×÷]/.test(expression) || instruction.length > 200) return undefined
  const value = new Sum(expression).value()
  return value === undefined
    ? undefined
    : `${expression.replaceAll('*', String.raw`\*`)} = **${Number(value.toPrecision(12))}**`
}

/** A parser of sums by recursive descent. */
class Sum {
  readonly #parts: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#parts = text.match(/\d+(?:\.\d+)?|\S/g) ?? []
  }

  /** @returns nothing for what isn't a sum. */
  value(): number | undefined {
    const value = this.#terms()
    return this.#at === this.#parts.length && Number.isFinite(value) ? value : undefined
  }

  #terms(): number {
    let value = this.#factors()
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      value += sign === '+' ? this.#factors() : -this.#factors()
    }
    return value
  }

  #factors(): number {
    let value = this.#power()
    for (let sign = this.#take('*', '×', '/', '÷'); sign; sign = this.#take('*', '×', '/', '÷')) {
      value = sign === '*' || sign === '×' ? value * this.#power() : value / this.#power()
    }
    return value
  }

  #power(): number {
    if (this.#take('-')) return -this.#power()
    const base = this.#atom()
    return this.#take('^') ? base ** this.#power() : base
  }

  #atom(): number {
    if (!this.#take('(')) return Number(this.#parts[this.#at++] ?? Number.NaN)
    const value = this.#terms()
    return this.#take(')') ? value : Number.NaN
  }

  #take(...signs: string[]): string | undefined {
    const part = this.#parts[this.#at]
    if (part === undefined || !signs.includes(part)) return undefined
    this.#at++
    return part
  }
}
