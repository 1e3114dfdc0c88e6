import type { JsonObject } from '../../io/json.ts'
import { textsForPattern } from './pattern.ts'
import { suitedText, type Source } from './source.ts'

/** A text for each format that schemas commonly name. */
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
  url: (at) => `https://example.com/${at + 1}`,
  'uri-reference': (at) => `/page/${at + 1}`,
  uuid: (at) => `00000000-0000-4000-8000-${(at + 1).toString(16).padStart(12, '0')}`,
  regex: (at) => `^a{${at + 1}}$`,
  'json-pointer': (at) => `/item/${at}`,
  byte: (at) => Buffer.from(`item ${at + 1}`).toString('base64'),
}

/** @param at Makes texts of one array differ. */
export function* textsFor(schema: JsonObject, source: Source, property: string, at: number): Generator<string> {
  const { pattern, format, minLength, maxLength } = schema
  const shortest = typeof minLength === 'number' ? minLength : 0
  const longest = typeof maxLength === 'number' ? maxLength : Infinity
  if (typeof pattern === 'string') yield* textsForPattern(pattern, shortest, at)
  const formatted = typeof format === 'string' ? formats[format]?.(at) : undefined
  if (formatted !== undefined) yield formatted
  const suited = suitedText(source, property)
  yield sized(at === 0 ? suited : `${suited} ${at + 1}`, shortest, longest)
  // Cut short, numbered texts are alike: then the number comes first.
  yield sized(`${at + 1} ${suited}`, shortest, longest)
  yield sized(String(at), shortest, longest)
}

function sized(text: string, shortest: number, longest: number): string {
  const characters = [...text].slice(0, longest)
  return characters.length >= shortest
    ? characters.join('')
    : text.padEnd(text.length + shortest - characters.length, '.')
}
