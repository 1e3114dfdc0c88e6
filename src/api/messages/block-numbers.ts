import type { Json } from '../../io/json.ts'

/** Numbers the content blocks of a streamed message in the order in which they begin, and tells which one an event is of. */
export class BlockNumbers {
  readonly #open = new Map<number, number>()
  #next = 0

  /** A block begins; also under an index that was used before, as services do that number all of them alike. */
  begin(index: Json | undefined): number {
    const number = this.#next++
    this.#open.set(position(index), number)
    return number
  }

  /** The block that goes on. One that nobody announced begins here. */
  of(index: Json | undefined): number {
    return this.#open.get(position(index)) ?? this.begin(index)
  }
}

/** Missing means the first. */
function position(index: Json | undefined): number {
  return typeof index === 'number' ? index : 0
}
