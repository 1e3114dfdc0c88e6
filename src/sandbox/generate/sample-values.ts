/** Strings and numbers for schemas, taken from the user's message if it has any that fit. */

import type { Json, JsonObject } from '../../io/json/json.ts'
import { excerpt } from '../writers/task.ts'

/** Generators of strings for some formats; `at` makes the items of an array differ. */
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

const maxPadding = 10_000

/**
 * @param property The property's name.
 * @param at The item's index in an array.
 * @returns strings to try, the best first; `[]` for an unknown format.
 */
export function textsFor(schema: JsonObject, request: string, property: string, at: number): string[] {
  const { format, minLength, maxLength } = schema
  if (typeof format === 'string') return Object.hasOwn(formats, format) ? [formats[format]?.(at) ?? ''] : []
  const shortest = Math.min(numberOr(minLength, 0), maxPadding)
  // JSON schema counts characters, not UTF-16 units.
  return [matchingText(request, property), 'stand-in'].map((text) => {
    // The number comes first: at the end, truncation would remove it.
    const characters = [...(at === 0 ? text : `${at + 1} ${text}`)].slice(0, numberOr(maxLength, Infinity))
    return characters.join('') + '.'.repeat(Math.max(0, shortest - characters.length))
  })
}

function matchingText(request: string, property: string): string {
  const quoted = /["“‘`]([^"”’`]+)["”’`]/.exec(request)?.[1]
  if (/city|place|location|country/i.test(property)) {
    return /\b(?:in|at|for|to|from|of|near)\s+((?:\p{Lu}[\p{L}'-]+\s?)+)/u.exec(request)?.[1]?.trim() ?? 'Paris'
  }
  if (/name|person|author|user/i.test(property)) return quoted ?? 'Ada Lovelace'
  return quoted || excerpt(request, 40) || 'stand-in'
}

/** @returns numbers to try, the best first; at least one, so that ajv can report why it does not fit. */
export function numbersFor(schema: JsonObject, isWhole: boolean, request: string, at: number): number[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const lowest = Math.max(numberOr(minimum, -Infinity), numberOr(above, -Infinity))
  const highest = Math.min(numberOr(maximum, Infinity), numberOr(below, Infinity))
  const step = numberOr(schema['multipleOf'], 1)
  const mentioned = Number(request.match(/-?\d+(?:\.\d+)?/g)?.[at] ?? Number.NaN)
  const isUpward = lowest > -Infinity || highest === Infinity
  const base = lowest > -Infinity ? lowest : 1
  const first = isUpward ? Math.ceil(base / step) : Math.floor(highest / step)
  // Multiplied, not added: sums of 0.1 are not multiples of 0.1.
  const steps = Array.from({ length: 12 }, (_, more) => (isUpward ? first + at + more : first - at - more) * step)
  const candidates = [mentioned, ...steps, lowest + (highest - lowest) / (at + 2), highest]
  const fitting = candidates.filter((number) => {
    const isInBounds = number >= lowest && number <= highest && number !== above && number !== below
    const isMultiple = schema['multipleOf'] === undefined || Number.isInteger(number / step)
    return Number.isFinite(number) && isInBounds && isMultiple && (!isWhole || Number.isInteger(number))
  })
  return fitting.length > 0 ? [...new Set(fitting)].slice(0, 4) : [base]
}

export function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}
