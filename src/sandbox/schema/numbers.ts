import type { JsonObject } from '../../io/json.ts'
import type { Source } from './source.ts'

/** Numbers worth trying, likely ones first. */
export function* numbersFor(schema: JsonObject, isWhole: boolean, source: Source, at: number): Generator<number> {
  const lowest = boundOf(schema['minimum'], schema['exclusiveMinimum'], Math.max)
  const highest = boundOf(schema['maximum'], schema['exclusiveMaximum'], Math.min)
  const step = typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : isWhole ? 1 : undefined
  const mentioned = source.numbers[at]
  if (mentioned !== undefined) yield mentioned
  const base = lowest ?? (highest === undefined ? 1 : highest - 1)
  if (step !== undefined) {
    // Multiplied, not added up: a sum of tenths is no multiple of a tenth.
    const first = Math.ceil(base / step)
    for (let more = 0; more < 3; more++) yield (first + at + more) * step
  }
  const middle = lowest !== undefined && highest !== undefined ? (lowest + highest) / 2 : base
  yield isWhole ? Math.round(middle) : middle
  if (lowest !== undefined && highest !== undefined) yield lowest + (highest - lowest) / (at + 2)
  yield base + at
  if (highest !== undefined) yield highest
  yield 0
}

function boundOf(a: unknown, b: unknown, pick: (...numbers: number[]) => number): number | undefined {
  const bounds = [a, b].filter((bound) => typeof bound === 'number')
  return bounds.length === 0 ? undefined : pick(...bounds)
}
