/** Texts and numbers for schemas, taken from the user's words where these have any that suit. */

import type { Json, JsonObject } from '../../io/json.ts'
import { beginning } from '../writers/phrases.ts'

/** What a value is for. */
interface Wanted {
  /** Name of its property. */
  readonly property: string
  /** Number among the items of an array. */
  readonly at: number
}

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

/** @returns texts worth trying, the likeliest first; none for a format that is not in the table. */
export function textsFor(schema: JsonObject, request: string, { property, at }: Wanted): string[] {
  const { format, minLength, maxLength } = schema
  const make = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined
  if (typeof format === 'string') return make ? [make(at)] : []
  const shortest = Math.min(numberOr(minLength, 0), longestPadding)
  const longest = numberOr(maxLength, Infinity)
  const suited = suitedText(request, property)
  const numbered = `${suited} ${at + 1}`
  // Cut short, numbered texts would be alike: then the number comes first.
  const text = at === 0 ? suited : numbered.length <= longest ? numbered : `${at + 1} ${suited}`
  return [text, `stand-in ${at + 1}`].map((one) => sized(one, shortest, longest))
}

/** Lengths count characters, not UTF-16 units. */
function sized(text: string, shortest: number, longest: number): string {
  const characters = [...text].slice(0, longest)
  return characters.join('') + '.'.repeat(Math.max(0, shortest - characters.length))
}

/** Which text suits a property of this name: the first pattern that is found in the name wins. */
const suited: readonly (readonly [RegExp, (request: string) => string | undefined])[] = [
  [/city|location|place|country|town|where|destination/i, (request) => placeIn(request) ?? 'Paris'],
  [/e-?mail/i, () => 'ada@example.com'],
  [/url|link|uri/i, (request) => /https?:\/\/[^\s"'<>)]+/.exec(request)?.[0] ?? 'https://example.com/'],
  [/date|day|when/i, () => '2025-06-01'],
  [/query|question|search|prompt|input|task|request/i, (request) => beginning(request, 200)],
  [/name|person|author|user|who/i, (request) => quoted(request) ?? nameIn(request) ?? 'Ada Lovelace'],
]

function suitedText(request: string, property: string): string {
  const [, find] = suited.find(([pattern]) => pattern.test(property)) ?? []
  return find?.(request) || quoted(request) || beginning(request, 40) || 'stand-in'
}

function placeIn(request: string): string | undefined {
  return /\b(?:in|at|for|to|from|of|near)\s+((?:\p{Lu}[\p{L}'-]+\s?)+)/u.exec(request)?.[1]?.trim()
}

function nameIn(request: string): string | undefined {
  // The first word of a sentence is capitalized for another reason.
  return /(?<!^|[.!?]\s)\b((?:\p{Lu}[\p{L}'-]+\s?)+)/u.exec(request)?.[1]?.trim()
}

function quoted(request: string): string | undefined {
  return /["“‘`]([^"”’`]+)["”’`]/.exec(request)?.[1]
}

/** @returns numbers worth trying, the likeliest first; one at least, for ajv to say what doesn't fit. */
export function numbersFor(schema: JsonObject, isWhole: boolean, request: string, at: number): number[] {
  const lowest = Math.max(numberOr(schema['minimum'], -Infinity), numberOr(schema['exclusiveMinimum'], -Infinity))
  const highest = Math.min(numberOr(schema['maximum'], Infinity), numberOr(schema['exclusiveMaximum'], Infinity))
  const step = numberOr(schema['multipleOf'], isWhole ? 1 : 0)
  const mentioned = request.match(/-?\d+(?:\.\d+)?/g)?.[at]
  const base = lowest > -Infinity ? lowest : highest < Infinity ? highest - 1 : 1
  // Multiplied, not added up: a sum of tenths is no multiple of a tenth.
  const first = Math.ceil(base / step)
  const steps = step === 0 ? [] : Array.from({ length: 12 }, (_, more) => (first + at + more) * step)
  const between = lowest + (highest - lowest) / (at + 2)
  const lower = step === 0 ? [base - at] : [Math.floor(base / step) * step, -step * at]
  const candidates = [Number(mentioned ?? Number.NaN), ...steps, base + at, base + at + 1, between, ...lower, highest]
  const fitting = candidates.filter((number) => {
    const isMultiple = step === 0 || Number.isInteger(number / step)
    const isInBounds = number >= lowest && number <= highest
    const isExcluded = number === schema['exclusiveMinimum'] || number === schema['exclusiveMaximum']
    return Number.isFinite(number) && isInBounds && !isExcluded && isMultiple && (!isWhole || Number.isInteger(number))
  })
  return fitting.length > 0 ? [...new Set(fitting)].slice(0, 4) : [base]
}

export function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
