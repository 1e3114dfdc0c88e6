import type { Io, Sink } from '../../io/io.ts'
import type { SafeText } from '../../io/safe-text.ts'
import type { Secrets } from '../../io/secrets.ts'
import { hasHyperlinks } from '../hyperlink.ts'
import type { Style } from '../style.ts'
import type { TextFilter } from '../text-filter.ts'
import { MarkdownRenderer } from './renderer.ts'
import { makeTheme } from './theme.ts'

/**
 * A filter that renders Markdown for the terminal it is written to.
 * @param margin The columns before each line, which somebody else fills.
 */
export function markdownFilter(
  out: Sink,
  style: Style,
  { io, secrets }: { readonly io: Io; readonly secrets: Secrets },
  margin: number,
): TextFilter<SafeText> {
  const theme = makeTheme(style.theme, style, io)
  return new MarkdownRenderer({
    // Of a pager, stderr is on the same terminal.
    width: () => (out.isTerminal ? out : io.err).columns() - margin,
    margin,
    theme,
    // Older pagers show the addresses of hyperlinks as text.
    hasLinks: out.isTerminal && hasHyperlinks(io, !theme.keepsMarks),
    secrets,
  })
}
