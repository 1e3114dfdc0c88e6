/** Where invented values come from: the user's words, as far as they hold anything that suits. */

import { beginning, sentencesOf } from '../writers/phrases.ts'

export interface Source {
  /** What the user asked. */
  readonly request: string
  readonly numbers: readonly number[]
}

export function readSource(request: string): Source {
  const numbers = request.match(/-?\d+(?:\.\d+)?/g) ?? []
  return { request, numbers: numbers.map(Number).filter(Number.isFinite) }
}

/** Which text suits a property of this name: the first pattern that is found in the name wins. */
const suited: readonly (readonly [RegExp, (request: string) => string])[] = [
  [/city|location|place|country|town|where|destination/i, (request) => placeIn(request) ?? 'Paris'],
  [/lang/i, (request) => /\b(?:in|to|into) ([A-Z]\w+)/.exec(request)?.[1] ?? 'English'],
  [/unit/i, () => 'celsius'],
  [/e-?mail/i, () => 'ada@example.com'],
  [/url|link|uri/i, (request) => /https?:\/\/[^\s"'<>)]+/.exec(request)?.[0] ?? 'https://example.com/'],
  [/date|day|when/i, () => '2025-06-01'],
  [/path|file/i, (request) => /[\w./-]+\.\w{1,5}\b/.exec(request)?.[0] ?? 'notes.txt'],
  [/expression|formula|equation/i, (request) => /\d[\d\s+\-*/().^]*\d/.exec(request)?.[0] ?? '1 + 1'],
  [/summary|description|text|content|message|body|reason|explanation/i, (request) => sentencesOf(request)[0] ?? ''],
  [/query|question|search|prompt|input|task|request/i, (request) => beginning(request, 200)],
  [/name|person|author|user|who/i, (request) => quoted(request) ?? nameIn(request) ?? 'Ada Lovelace'],
  [/./, (request) => quoted(request) ?? beginning(request, 40)],
]

export function suitedText({ request }: Source, property: string): string {
  const [, find] = suited.find(([pattern]) => pattern.test(property)) ?? []
  return find?.(request) || quoted(request) || beginning(request, 40) || 'stand-in'
}

function placeIn(request: string): string | undefined {
  return /\b(?:in|at|for|to|from|of|near)\s+((?:\p{Lu}[\p{L}'-]+\s?)+)/u.exec(request)?.[1]?.trim()
}

function nameIn(request: string): string | undefined {
  // The first word of a sentence is capitalised for another reason.
  return /(?<!^|[.!?]\s)\b((?:\p{Lu}[\p{L}'-]+\s?)+)/u.exec(request)?.[1]?.trim()
}

function quoted(request: string): string | undefined {
  return /["“‘`]([^"”’`]+)["”’`]/.exec(request)?.[1]
}
