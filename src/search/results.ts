/** Search results on a terminal: number, title, URL and snippet. */

import type { WebSearchResult } from '../api/search/decode.ts'
import { joinSafe, linesOf, noText, replaceSafe, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import type { OutputTarget } from '../io/files/output.ts'
import type { LoadStyle, Style } from '../terminal/style.ts'
import { cutTo } from '../terminal/width.ts'
import { wrapTo } from '../terminal/word-wrap.ts'

/** Longer lines are hard to read. */
const maxWidth = 100

/** Some services return whole pages as snippets. */
const maxSnippetLines = 5

/** Characters read from a text: more than its lines show. */
const maxLength = 4000

/** Writes numbered results. @param target A terminal. */
export async function writeSearchResults(
  results: readonly WebSearchResult[],
  target: OutputTarget,
  loadStyle: LoadStyle,
): Promise<void> {
  const style = await loadStyle(target)
  const indent = safe` `.repeat(String(results.length).length + 2)
  const width = Math.max(1, Math.min(target.columns(), maxWidth) - indent.length)
  // One after the other: a service may send thousands.
  for (const [index, result] of results.entries()) {
    const number = safe`${index + 1}.`.padStart(indent.length - 1)
    const lines = [...titleLines(result, width, style), ...snippetLines(result, width, style)]
    const entry = linesOf(lines.map((line, at) => safe`${at === 0 ? safe`${style.dim(number)} ` : indent}${line}`))
    await target.write(index === 0 ? entry : safe`\n${entry}`)
  }
}

/** The URL is never broken: people copy it. */
function titleLines({ url, title }: WebSearchResult, width: number, style: Style): SafeText[] {
  const shownUrl = sanitizeName(url)
  if (title === undefined) return [style.bold(shownUrl)]
  return [...wrapTo(oneLine(title), width).map((line) => style.bold(line)), shownUrl]
}

function snippetLines({ published, snippet }: WebSearchResult, width: number, style: Style): SafeText[] {
  // Without the time of an ISO 8601 date.
  const date = replaceSafe(oneLine(published ?? ''), /(?<=^\d{4}-\d{2}-\d{2})T.*$/, () => noText)
  const text = joinSafe([date, oneLine(snippet)].filter(Boolean), safe` · `)
  if (text === '') return []
  const lines = wrapTo(text, width)
  const [first = noText, ...others] = lines.slice(0, maxSnippetLines)
  const last = others.pop()
  // With the first hidden line appended, it is too long, and `cutTo` adds the ellipsis.
  if (last !== undefined)
    others.push(cutTo(joinSafe([last, ...lines.slice(maxSnippetLines, maxSnippetLines + 1)], safe` `), width))
  const head = first.startsWith(date) ? date : noText
  return [safe`${style.dim(head)}${sanitizeName(first.slice(head.length))}`, ...others]
}

function oneLine(text: string): SafeText {
  return replaceSafe(sanitizeName(text.slice(0, maxLength)), /\s+/g, () => safe` `).trim()
}
