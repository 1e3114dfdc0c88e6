/** Text on its way to the terminal, with how it is to look. */

import type { Paint } from '../style.ts'
import { hyperlink } from '../hyperlink.ts'

export interface Appearance {
  readonly paint: Paint
  /** What it was put together from. */
  readonly layers: readonly Paint[]
  /** Where a click leads. */
  readonly url?: string | undefined
}

export interface Run {
  readonly text: string
  readonly appearance: Appearance
}

/** In a run's text: what follows begins a new line. */
export const lineBreak = '\n'

export const plain: Appearance = { paint: (text) => text, layers: [] }

/** The same, and within it more paint: each once, however deep emphasis is within emphasis. */
export function within(outer: Appearance, paint: Paint, url = outer.url): Appearance {
  if (outer.layers.includes(paint)) return url === outer.url ? outer : { ...outer, url }
  return { paint: (text) => outer.paint(paint(text)), layers: [...outer.layers, paint], url }
}

/** The text with its escape sequences. What looks the same is painted at one go. */
export function painted(runs: readonly Run[]): string {
  let text = ''
  for (let from = 0; from < runs.length;) {
    const { appearance } = runs[from] as Run
    let same = ''
    while (runs[from]?.appearance === appearance) same += runs[from++]?.text
    const shown = appearance.paint(same)
    text += appearance.url === undefined ? shown : hyperlink(shown, appearance.url)
  }
  return text
}
