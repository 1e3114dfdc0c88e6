/** Renders Markdown as for a terminal. */

import fc from 'fast-check'
import type { Terminal } from '@xterm/headless'
import type { Sink } from '../../src/io/io.ts'
import { asSafeText } from '../../src/io/text/safe-text.ts'
import { MarkdownRenderer, type MarkdownOptions } from '../../src/terminal/markdown/renderer.ts'
import { makeTheme } from '../../src/terminal/markdown/theme.ts'
import { loadStyle, type ThemeName } from '../../src/terminal/style.ts'
import { newTerminal } from './picture.ts'

export interface Rendering {
  columns?: number
  theme?: ThemeName
  /** Without color, Markdown's own marks are kept. */
  hasColor?: boolean
  env?: Record<string, string>
}

/** @param pieces The text, in the pieces of a stream. */
export async function render(pieces: string | readonly string[], rendering: Rendering = {}): Promise<string> {
  const renderer = new MarkdownRenderer(await optionsOf(rendering))
  let shown = ''
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) shown += await pushed(renderer, piece)
  return shown + renderer.end()
}

/** @returns the text that a piece makes visible. */
export async function pushed(renderer: MarkdownRenderer, piece: string): Promise<string> {
  let shown = ''
  for (const line of piece.split(/(?<=\n)/)) {
    await renderer.loading
    shown += renderer.push(asSafeText(line))
  }
  return shown
}

/** Renders the pieces on a terminal of 20 columns. @returns all text that is visible after each. */
export async function visibleAfter(pieces: readonly string[]): Promise<string[]> {
  const renderer = new MarkdownRenderer(await optionsOf({ columns: 20 }))
  const seen: string[] = []
  let visible = ''
  for (const piece of pieces) {
    visible += bare(await pushed(renderer, piece))
    seen.push(visible)
  }
  return seen
}

export async function optionsOf(rendering: Rendering): Promise<MarkdownOptions> {
  const { columns = 80, theme = 'auto', hasColor = true, env = {} } = rendering
  const style = await loadStyle({ env: { TERM: 'xterm' } } as never, { isTerminal: true } as Sink, {
    color: hasColor ? 'always' : 'never',
    theme: 'auto',
    isForced: false,
  })
  return { width: () => columns, theme: makeTheme(theme, style, { env }) }
}

/** The rendered lines, without escape sequences. */
export async function lines(text: string, rendering: Rendering = {}): Promise<string[]> {
  return bare(await render(text, rendering))
    .replace(/\n$/, '')
    .split('\n')
}

export function bare(shown: string): string {
  // oxlint-disable-next-line no-control-regex
  return shown.replaceAll(/\u001b\[(?:[\d;]*[mGK]|\?7[hl])/g, '')
}

/** A terminal on which the text was rendered. */
export async function rendered(text: string, rendering: Rendering = {}): Promise<Terminal> {
  const terminal = newTerminal({ columns: rendering.columns ?? 80, rows: 100 })
  const shown = await render(text, rendering)
  await new Promise<void>((resolve) => terminal.write(shown.replaceAll('\n', '\r\n'), resolve))
  return terminal
}

/** The cells of each row, up to the last row with text. A character that takes two columns is followed by an empty cell. */
export function cellsOf({ buffer: { active }, cols }: Terminal): string[][] {
  const rows = Array.from({ length: active.length }, (_, row) =>
    Array.from({ length: cols }, (_, column) => active.getLine(row)?.getCell(column)?.getChars() ?? ''),
  )
  return rows.slice(0, rows.findLastIndex((row) => row.some(Boolean)) + 1)
}

const word = fc.constantFrom(
  'a',
  'word',
  'snake_case',
  '中文字',
  '中😀🎉文',
  '日本、語。',
  '👩‍🚀🎉',
  'e\u0301te\u0301',
  'https://a.bc/d_e',
  '__init__',
  'b',
  'x'.repeat(70),
)
const mark = fc.stringMatching(/^(?:\*{1,3}|_{1,2}|~{1,2}|`{1,2}|\${1,2}|!?\[|\](?:\((?:http:\/\/a\.b\))?)?|[)<>])$/)
const pair = fc.stringMatching(/^(?:\[a\]|\[t\]\(http:\/\/a\.b "- -"\)|\\[()[\]]|<br[> ]|\/>|<b(?: a="\*|>)|\[a\]: b)$/)
const other = fc.stringMatching(/^(?:[/2\\&|!#=:"「」\t-]|\.[a*]|[(]| == |&amp;|\. | {1,2}|1\.)$/)
const start = fc.stringMatching(/^(?:#{1,2} |[*+-] |10?\. |7\. |2\) |> ?| {2,4}|\t|- \[[ x]\] )$/)
const whole = fc.stringMatching(
  /^(?:|```(?:ts)?|~~~ py|---|\*{3}|={3}|-|\|a\|b\||\|-\|:-:\||\| `x` \\\| \| 中 \| c \||<div>| {2}<p>|\$\$(?: a)?|(?:a )?\\\[|\[a\]:(?: http:\/\/d\.e)?|http:\/\/d\.e|a `b \*c)$/,
)

/** Inlines in any order. */
const anyInline = fc
  .array(fc.oneof(word, mark, pair, other), { maxLength: 9, size: 'max' })
  .map((parts) => parts.join(''))
const line = fc
  .oneof(
    { weight: 3, arbitrary: fc.tuple(fc.array(start, { maxLength: 3 }), anyInline) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.array(start, { maxLength: 2 }), whole),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constant([]), fc.stringMatching(/^[ -~]{0,30}$/)) },
  )
  .map(([before, rest]) => before.join('') + rest)

/** Random Markdown. */
export const anyMarkdown = fc.array(line, { minLength: 1, maxLength: 14, size: 'max' }).map((all) => all.join('\n'))

/** @param cuts Positions, modulo the length of the text. */
export function cutAt(text: string, cuts: readonly number[]): string[] {
  const edges = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return edges.slice(1).map((edge, at) => text.slice(edges[at], edge))
}
