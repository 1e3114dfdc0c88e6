/** Measures and truncates text by its width in terminal columns. */

import stringWidth from 'fast-string-width'
import { asSafeAs } from '../io/text/safe-text.ts'
import { graphemes } from './graphemes.ts'

/** In characters: with millions of combining marks, the package ends the stack. */
const longestMeasured = 1000

export function widthOf(text: string): number {
  // Most single characters; the package takes 1 µs for each.
  if (text.length === 1 && text >= ' ' && text <= '~') return 1
  // The package takes each for a column.
  const visible = text.replaceAll(invisible, '')
  if (visible.length <= longestMeasured || visible.includes('\u001b')) return stringWidth(visible)
  let width = 0
  for (let at = 0; at < visible.length; at += longestMeasured) {
    width += stringWidth(visible.slice(at, at + longestMeasured))
  }
  return width
}

/** Characters that only separate or join others; in an emoji, a joiner is a part of it. */
const invisible = /[\u200b\u200c\u2060]|(?<!\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d/gu

/**
 * Printable ASCII, escape sequences, the vertical border, letters of Latin, Greek and Cyrillic, common punctuation, and
 * characters of Chinese, Japanese and Korean: all terminals agree on their width. They differ about emoji, symbols and
 * combining marks.
 */
const certain =
  /^(?:(?!\p{M})[\u001b -~\u00a0-\u00a8\u00aa-\u00ac\u00af-\u00ff\u2010-\u2027\u20ac│\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\uac00-\ud7a3\u3000-\u3020\uff01-\uff60])*$/u

/** Whether all terminals agree on the width of a text. */
export function hasCertainWidth(text: string): boolean {
  return certain.test(text)
}

/** In characters: no terminal has room for more, but for combining marks, of which a letter may have millions. */
const longestCut = 10_000

/**
 * Truncates a text to a width, with `…` at its end.
 * @param text Without escape sequences: the one that ends a style could be cut off.
 */
export function cutTo<Text extends string>(text: Text, columns: number): Text {
  if (text.length <= longestMeasured && widthOf(text) <= columns) return text
  let [at, width, cut] = [0, 0, 0]
  for (const grapheme of graphemes(text)) {
    width += widthOf(grapheme)
    if (width > columns || at >= longestCut) return asSafeAs(text, `${text.slice(0, cut).trimEnd()}…`)
    at += grapheme.length
    if (width < columns) cut = at
  }
  return text
}

/** Fills up a text with spaces. A wider one is unchanged. */
export function padTo<Text extends string>(text: Text, columns: number): Text {
  return asSafeAs(text, text + ' '.repeat(Math.max(0, columns - widthOf(text))))
}
