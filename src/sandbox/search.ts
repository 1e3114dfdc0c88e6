/** The search endpoint. It searches this tool's man pages instead of the web; each section is a result. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type JsonObject } from '../io/json/json.ts'
import { packageFolder } from '../io/process/package.ts'
import type { Account } from './account.ts'
import type { Answer } from './endpoint.ts'
import { HttpError } from './endpoint.ts'

const maxResults = 10
const snippetLength = 400
const maxHighlights = 3

interface Section {
  /** `syn-chat` */
  readonly page: string
  /** `OPTIONS` */
  readonly name: string
  readonly text: string
  /** The page's date as an ISO 8601 timestamp. */
  readonly published: string
}

/** `POST /search` */
export async function answerSearch(body: unknown, account: Account): Promise<Answer> {
  const query = isObject(body) ? body['query'] : undefined
  if (typeof query !== 'string' || query.trim() === '') {
    throw new HttpError(400, '$.query is missing; it must be a string that is not blank')
  }
  account.countSearch()
  const words = query.toLowerCase().split(/\s+/)
  const found = readManual()
    .map((section) => ({ section, points: score(section, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
  return { json: { results: found.slice(0, maxResults).map(({ section }) => resultOf(section, words)) } }
}

/** The number of words found in a section, plus two for each in its title. */
function score({ page, name, text }: Section, words: readonly string[]): number {
  const title = `${page} ${name}`.toLowerCase()
  const lower = text.toLowerCase()
  const inTitle = words.filter((word) => title.includes(word)).length
  return words.filter((word) => lower.includes(word)).length + 2 * inTitle
}

function resultOf({ page, name, text, published }: Section, words: readonly string[]): JsonObject {
  const isFound = (line: string): boolean => words.some((word) => line.toLowerCase().includes(word))
  const lines = text.split('\n')
  // From the first line with a word, or from the start if only the title has one.
  const start = Math.max(0, lines.findIndex(isFound))
  return {
    url: `https://syn.invalid/man/${page}#${name.replaceAll(' ', '_')}`,
    title: `${page}(1): ${name}`,
    text: lines.slice(start).join('\n').slice(0, snippetLength).trim(),
    highlights: lines.filter(isFound).slice(0, maxHighlights),
    published,
  }
}

/** The sections of all man pages. */
function readManual(): Section[] {
  const folder = join(packageFolder(), 'man')
  const files = readdirSync(folder).filter((file) => file.endsWith('.1'))
  // Without the suffix, which would sort syn.1 after syn-chat.1.
  const pages = files.map((file) => file.slice(0, -2)).toSorted()
  return pages.flatMap((page) => readPage(page, readFileSync(join(folder, `${page}.1`), 'utf8')))
}

/** A man page's sections as plain text. In mdoc, a line of macros starts with a dot. */
export function readPage(page: string, source: string): Section[] {
  const published = new Date(`${/^\.Dd (.+)$/m.exec(source)?.[1]} UTC`).toISOString()
  const [, ...parts] = source.split(/^\.Sh /m)
  return parts.map((part) => {
    const [name = '', ...lines] = part.split('\n').map(plainLine)
    return { page, name, text: lines.filter((line) => line !== '').join('\n'), published }
  })
}

/** Lines with layout macros or comments, such as `.Bl -tag -width Ds`. */
const layout = /^\.(?:\\"|(?:Bl|El|Bd|Ed|Pp|Bk|Ek|Sm|Rs|Re)\b)/

/** Characters by their name in mdoc. */
const characters: Readonly<Record<string, string>> = { aq: "'", dq: '"', ti: '~', ga: '`', ha: '^' }

function plainLine(line: string): string {
  if (layout.test(line)) return ''
  const text = line.startsWith('.') ? withoutMacros(line.slice(1)) : line
  return text
    .replace(/\\f.|\\[&%]/g, '')
    .replace(/\\\((aq|dq|ti|ga|ha)/g, (_, name: string) => characters[name] ?? '')
    .replace(/\\\[u([\dA-F]+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\([e-])/g, (_, character: string) => (character === 'e' ? '\\' : '-'))
}

const macro = /\b(?:It|Nm|Nd|Xr|Op|Ss|Ar|Ev|Li|Pa) /g

/** `It Fl m , \-model Ar MODEL` → `-m, -\-model MODEL`: `Fl` also applies after a comma. */
function withoutMacros(line: string): string {
  const words = line.replaceAll('"', '').replace(macro, '')
  const flags = words.replace(/\bFl /g, '-').replace(/ , \\-/g, ' , -\\-')
  return flags.replace(/ ([.,])/g, '$1')
}
