/** Texts and numbers for schemas, taken from the user's words where these have any that suit. */

import type { Json, JsonObject } from '../../io/json.ts'
import { beginning } from '../writers/task.ts'

/** A text for each format that is easily made up; `at` makes those of one array differ. */
const formats: Readonly<Record<string, (at: number) => string>> = {
  'date-time': (at) => new Date(Date.UTC(2025, 5, 1 + at, 12)).toISOString(),
  date: (at) => new Date(Date.UTC(2025, 5, 1 + at)).toISOString().slice(0, 10),
  time: (at) => `12:${String(at % 60).padStart(2, '0')}:00Z`,
  duration: (at) => `P${at + 1}D`,
  email: (at) => `person${at + 1}@example.com`,
  hostname: (at) => `host${at + 1}.example.com`,
  ipv4: (at) => `192.0.2.${(at % 254) + 1}`,
  ipv6: (at) => `2001:db8::${(at + 1).toString(16)}`,
  uri: (at) => `https://example.com/${at + 1}`,
  uuid: (at) => `00000000-0000-4000-8000-${(at + 1).toString(16).padStart(12, '0')}`,
}

const longestPadding = 10_000

/**
 * @param property Name of the property that the text is for.
 * @param at Number among the items of an array.
 * @returns texts worth trying, the likeliest first; none for a format that is not in the table.
 */
export function textsFor(schema: JsonObject, request: string, property: string, at: number): string[] {
  const { format, minLength, maxLength } = schema
  if (typeof format === 'string') return Object.hasOwn(formats, format) ? [formats[format]?.(at) ?? ''] : []
  const shortest = Math.min(numberOr(minLength, 0), longestPadding)
  // Lengths count characters, not UTF-16 units.
  return [suitedText(request, property), 'stand-in'].map((text) => {
    // The number comes first, since a cut would leave texts that end in it alike.
    const characters = [...(at === 0 ? text : `${at + 1} ${text}`)].slice(0, numberOr(maxLength, Infinity))
    return characters.join('') + '.'.repeat(Math.max(0, shortest - characters.length))
  })
}

function suitedText(request: string, property: string): string {
  const quoted = /["“‘`]([^"”’`]+)["”’`]/.exec(request)?.[1]
  if (/city|place|location|country/i.test(property)) {
    return /\b(?:in|at|for|to|from|of|near)\s+((?:\p{Lu}[\p{L}'-]+\s?)+)/u.exec(request)?.[1]?.trim() ?? 'Paris'
  }
  if (/name|person|author|user/i.test(property)) return quoted ?? 'Ada Lovelace'
  return quoted || beginning(request, 40) || 'stand-in'
}

/** @returns numbers worth trying, the likeliest first; one at least, for ajv to say what doesn't fit. */
export function numbersFor(schema: JsonObject, isWhole: boolean, request: string, at: number): number[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const lowest = Math.max(numberOr(minimum, -Infinity), numberOr(above, -Infinity))
  const highest = Math.min(numberOr(maximum, Infinity), numberOr(below, Infinity))
  const step = numberOr(schema['multipleOf'], 1)
  const mentioned = Number(request.match(/-?\d+(?:\.\d+)?/g)?.[at] ?? Number.NaN)
  const isUpward = lowest > -Infinity || highest === Infinity
  const base = lowest > -Infinity ? lowest : 1
  const first = isUpward ? Math.ceil(base / step) : Math.floor(highest / step)
  // Multiplied, not added up: a sum of tenths is no multiple of a tenth.
  const steps = Array.from({ length: 12 }, (_, more) => (isUpward ? first + at + more : first - at - more) * step)
  const candidates = [mentioned, ...steps, lowest + (highest - lowest) / (at + 2), highest]
  const fitting = candidates.filter((number) => {
    const isInBounds = number >= lowest && number <= highest && number !== above && number !== below
    const isMultiple = schema['multipleOf'] === undefined || Number.isInteger(number / step)
    return Number.isFinite(number) && isInBounds && isMultiple && (!isWhole || Number.isInteger(number))
  })
  return fitting.length > 0 ? [...new Set(fitting)].slice(0, 4) : [base]
}

export function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
