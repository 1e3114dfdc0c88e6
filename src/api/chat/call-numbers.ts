import { objectsIn, type Json, type JsonObject } from '../../io/json.ts'

/** Numbers from here on are no positions in a list. */
const firstAbsurdIndex = 10_000

/**
 * Tells which tool call of a choice each piece belongs to: by its `index`; where that is missing, by its id; where that
 * is missing too, it goes on with the call before.
 */
export class CallNumbers {
  readonly #ids = new Map<number, string>()
  #last = 0
  #next = 0

  /** @returns the pieces of one delta's `tool_calls`, each with the number of its call. */
  assign(pieces: Json | undefined): [number: number, piece: JsonObject][] {
    const objects = objectsIn(pieces)
    return objects.map((piece, position) => [this.#numberOf(piece, objects.length > 1 ? position : this.#last), piece])
  }

  #numberOf({ index, id }: JsonObject, otherwise: number): number {
    const name = typeof id === 'string' && id !== '' ? id : undefined
    const number = isPosition(index) ? index : name === undefined ? otherwise : this.#numberFor(name, otherwise)
    if (name !== undefined) this.#ids.set(number, name)
    this.#last = number
    this.#next = Math.max(this.#next, number + 1)
    return number
  }

  #numberFor(id: string, otherwise: number): number {
    for (const [number, known] of this.#ids) if (known === id) return number
    return this.#ids.has(otherwise) ? this.#next : otherwise
  }
}

function isPosition(index: Json | undefined): index is number {
  return Number.isInteger(index) && (index as number) >= 0 && (index as number) < firstAbsurdIndex
}
