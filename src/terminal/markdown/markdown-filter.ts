import type { Io, Sink } from '../../io/io.ts'
import type { SafeText } from '../../io/safe-text.ts'
import { hasHyperlinks } from '../hyperlink.ts'
import type { Style } from '../style.ts'
import type { TextFilter } from '../text-filter.ts'
import { MarkdownRenderer } from './renderer.ts'
import { makeTheme } from './theme.ts'

/** A filter that renders Markdown for the terminal it is written to. */
export function markdownFilter(out: Sink, style: Style, io: Io): TextFilter<SafeText> {
  const theme = makeTheme(style.theme, style, io.env)
  return new MarkdownRenderer({
    width: () => out.columns(),
    theme,
    hasLinks: hasHyperlinks(io, !theme.keepsMarks),
  })
}
