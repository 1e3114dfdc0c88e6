/** Chooses what makes text for a terminal of that of an answer: rendered Markdown, wrapped lines, or the text as it is written. */

import type { Io, Sink } from '../io/io.ts'
import type { Style } from '../terminal/style.ts'
import { sanitizingFilter, type TextFilter, unchanged } from '../terminal/text-filter.ts'

/**
 * @param margin The columns that the caller puts before each line.
 * @returns a function that makes a filter for each answer's text.
 */
export function chooseFilter(isRaw: boolean, io: Io, out: Sink, style: Style, margin = 0): () => TextFilter {
  if (!out.isTerminal && !style.isForced) return () => unchanged
  if (isRaw || io.env.TERM === 'dumb') return () => sanitizingFilter()
  // Loaded while the request is under way.
  const loading = import('../terminal/markdown/renderer.ts')
  return () => sanitizingFilter(loading.then(({ markdownFilter }) => markdownFilter(out, style, io, margin)))
}

/** Reasoning is not rendered as Markdown, only wrapped between words. @returns as `chooseFilter`. */
export function chooseReasoningFilter(isRaw: boolean, io: Io, err: Sink): () => TextFilter {
  if (!err.isTerminal) return () => unchanged
  if (isRaw || io.env.TERM === 'dumb') return () => sanitizingFilter()
  const loading = import('../terminal/word-wrap.ts')
  return () => sanitizingFilter(loading.then(({ WordWrap }) => new WordWrap(err)))
}
