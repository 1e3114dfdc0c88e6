/** The search endpoint: not the web, but this tool's own manual, one result a section. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type JsonObject } from '../io/json.ts'
import { packageFolder } from '../io/package.ts'
import type { Account } from './account.ts'
import type { Answer } from './endpoint.ts'
import { readPage, type Section } from './manual-page.ts'
import { Refusal } from './refusal.ts'

const mostResults = 10
const snippetLength = 400
const mostHighlights = 3
/** A word in a title says more than one in the text. */
const titleWeight = 5
const mostCounted = 5

/** `POST /search` */
export async function answerSearch(body: unknown, account: Account): Promise<Answer> {
  const query = isObject(body) ? body['query'] : undefined
  if (typeof query !== 'string' || query.trim() === '') {
    throw new Refusal(400, '$.query: expected what to search for, a string')
  }
  account.countSearch()
  return { json: { results: searchManual(query) } }
}

function searchManual(query: string): JsonObject[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu) ?? [])]
  return sections()
    .map((section) => ({ section, points: score(section, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, mostResults)
    .map(({ section }) => result(section, words))
}

/** All sections of all pages, syn(1) first; none where no manual is installed. */
function sections(): Section[] {
  const folder = join(packageFolder(), 'man')
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.1'))
    const pages = files.map((name) => name.slice(0, -2)).toSorted()
    return pages.flatMap((page) => readPage(page, readFileSync(join(folder, `${page}.1`), 'utf8')))
  } catch {
    return []
  }
}

/** Words found in the section, all of them before many of one. */
function score({ page, name, text }: Section, words: readonly string[]): number {
  const title = `${page} ${name}`.toLowerCase()
  const lower = text.toLowerCase()
  return words.reduce((sum, word) => {
    const inText = Math.min(lower.split(word).length - 1, mostCounted)
    const inTitle = title.includes(word) ? titleWeight : 0
    return sum + inText + inTitle + (inText + inTitle > 0 ? 2 * mostCounted : 0)
  }, 0)
}

function result({ page, name, text, published }: Section, words: readonly string[]): JsonObject {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at !== -1)
  // The line of the first word found, or the beginning where only the title holds any.
  const start = places.length === 0 ? 0 : lower.lastIndexOf('\n', Math.min(...places)) + 1
  const lines = text.split('\n').filter((line) => words.some((word) => line.toLowerCase().includes(word)))
  return {
    url: `https://syn.invalid/man/${page}#${name.replaceAll(' ', '_')}`,
    title: `${page}(1): ${name}`,
    text: text.slice(start, start + snippetLength).trim(),
    highlights: lines.slice(0, mostHighlights),
    published,
  }
}
