/** What a search found, for a person at a terminal or for other programs. */

import type { SearchResult } from '../api/search/results.ts'
import { harmlessName } from '../io/harmless.ts'
import type { Io } from '../io/io.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import type { Target } from '../io/output.ts'

interface Deps {
  readonly io: Io
  readonly loadStyle: LoadStyle
}

/**
 * Numbered results on a terminal, with the words of the query marked; elsewhere address, title, time of publication and
 * snippet, a result a line.
 */
export async function showResults(
  results: readonly SearchResult[],
  query: string,
  target: Target,
  { io, loadStyle }: Deps,
): Promise<void> {
  if (!target.isTerminal) {
    const rows = results.map(({ url, title, published, snippet }) => [url, title ?? '', published ?? '', snippet])
    return target.write(tabSeparated(rows))
  }
  const [{ resultPage }, { hasHyperlinks }, style] = await Promise.all([
    import('./page.ts'),
    import('../terminal/hyperlink.ts'),
    loadStyle(target),
  ])
  const look = { width: target.columns(), style, hasLinks: hasHyperlinks(io, style.hasColor) }
  await target.write(resultPage(results, query, look))
}

/** Their addresses, one a line. */
export async function showUrls(results: readonly SearchResult[], target: Target): Promise<void> {
  await target.write(tabSeparated(results.map(({ url }) => [target.isTerminal ? harmlessName(url) : url])))
}
