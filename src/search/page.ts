/** Search results on a terminal: number and title, address, and what the page says. */

import type { WebSearchResult } from '../api/search/decode.ts'
import { sanitizeName } from '../io/sanitize.ts'
import type { Io } from '../io/io.ts'
import type { OutputTarget } from '../io/output.ts'
import { hasHyperlinks, hyperlink } from '../terminal/hyperlink.ts'
import type { LoadStyle, Style } from '../terminal/style.ts'
import { cutTo, wrapTo } from '../terminal/width.ts'

interface PageLook {
  /** Of the terminal, in columns. */
  readonly width: number
  readonly style: Style
  /** Whether the terminal understands links. */
  readonly hasLinks: boolean
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const widest = 100

/** Some services quote whole pages. */
const mostSnippetLines = 5

/** What is looked at of a text, in characters: more than its lines hold. */
const longestText = 4000

/**
 * Numbered results, with the words of the query marked.
 * @param target A terminal.
 */
export async function showPage(
  results: readonly WebSearchResult[],
  query: string,
  target: OutputTarget,
  { io, loadStyle }: { readonly io: Io; readonly loadStyle: LoadStyle },
): Promise<void> {
  const style = await loadStyle(target)
  const look = { width: target.columns(), style, hasLinks: hasHyperlinks(io, style.hasColor) }
  await target.write(resultPage(results, query, look))
}

function resultPage(results: readonly WebSearchResult[], query: string, look: PageLook): string {
  const mark = wordMarker(query, look.style.bold)
  const indent = String(results.length).length + 2
  const width = Math.max(1, Math.min(look.width, widest) - indent)
  const entries = results.map((result, index) => {
    const number = `${index + 1}.`.padStart(indent - 1)
    const lines = [...titleLines(result, width, look), ...snippetLines(result, width, look.style, mark)]
    return lines.map((line, at) => `${at === 0 ? `${look.style.dim(number)} ` : ' '.repeat(indent)}${line}\n`).join('')
  })
  return entries.join('\n')
}

/** The address is never broken: it is there to be copied. */
function titleLines({ url, title }: WebSearchResult, width: number, { style, hasLinks }: PageLook): string[] {
  const address = sanitizeName(url)
  const link = (text: string): string => style.bold(hasLinks ? hyperlink(text, url) : text)
  if (title === undefined) return [link(address)]
  return [...wrapTo(oneLine(title), width).map(link), address]
}

function snippetLines(
  { published, snippet }: WebSearchResult,
  width: number,
  style: Style,
  mark: (text: string) => string,
): string[] {
  const date = dateText(oneLine(published ?? ''))
  const text = [date, oneLine(snippet)].filter(Boolean).join(' · ')
  if (text === '') return []
  const lines = wrapTo(text, width)
  const [first = '', ...others] = lines.slice(0, mostSnippetLines)
  const last = others.pop()
  // Joined with the line that is left out, it is too long, and gets the sign for that.
  if (last !== undefined)
    others.push(cutTo([last, ...lines.slice(mostSnippetLines, mostSnippetLines + 1)].join(' '), width))
  const head = first.startsWith(date) ? date : ''
  return [style.dim(head) + mark(first.slice(head.length)), ...others.map(mark)]
}

/** The day of an ISO time; any other text as it is. */
function dateText(published: string): string {
  return /^(\d{4}-\d{2}-\d{2})T/.exec(published)?.[1] ?? published
}

function oneLine(text: string): string {
  return sanitizeName(text.slice(0, longestText)).replace(/\s+/g, ' ').trim()
}

/**
 * Marks the words of a query in what was found.
 * @param query Its words are sought whole, in upper or lower case; punctuation round them doesn't count.
 * @param mark Styles a word.
 */
export function wordMarker(query: string, mark: (word: string) => string): (text: string) => string {
  const words = query
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|["'’”»),.;:!?\]]+$/gu, ''))
    .filter(Boolean)
    // Of two that begin alike the longer one is meant where it stands.
    .toSorted((a, b) => b.length - a.length)
  if (words.length === 0) return (text) => text
  const alternatives = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}_])(?:${alternatives})(?![\p{L}\p{M}\p{N}_])`, 'giu')
  return (text) => text.replace(pattern, (word) => mark(word))
}
