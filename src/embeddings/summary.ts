/** Shows embeddings on a terminal, in a few lines each. */

import type { Vector } from '../api/embeddings/decode.ts'
import { pluralize } from '../io/text/plural.ts'
import {
  joinSafe,
  linesOf,
  replaceSafe,
  safe,
  type SafeText,
  sanitizeForTerminal,
  sanitizeName,
} from '../io/text/safe-text.ts'
import type { Sink } from '../io/io.ts'
import type { Style } from '../terminal/style.ts'
import { cutTo } from '../terminal/width.ts'
import { cellOf, type EmbeddedGroups } from './formats.ts'
import { norm } from './similarity.ts'

/** What is kept of the input is before the text. @param hasText Whether texts are shown in full. */
export async function writeSummaries(groups: EmbeddedGroups, out: Sink, style: Style, hasText: boolean): Promise<void> {
  for await (const { first, items, vectors } of groups) {
    const entries = vectors.map((vector, at) => {
      const number = safe`${first + at}`
      const indent = safe` `.repeat(number.length + 2)
      const columns = out.columns() - indent.length
      const { kept = [], text = '' } = items[at] ?? {}
      const whole = [...kept.map(cellOf), text].join(' · ')
      const shown = hasText
        ? replaceSafe(sanitizeForTerminal(whole).trimEnd(), /\n/g, (feed) => safe`${feed}${indent}`)
        : labelOf(whole, columns)
      return linesOf([
        safe`${number}  ${style.bold(shown === '' ? safe`(empty)` : shown)}`,
        safe`${indent}${style.dim(factsOf(vector, columns))}`,
      ])
    })
    await out.write(joinSafe(entries))
  }
}

/** `768 dimensions · norm 1.000 · 0.0312 -0.0100 …`, with as many values as fit. */
function factsOf(vector: Vector, columns: number): SafeText {
  let facts = sanitizeName(`${pluralize(vector.length, 'dimension')} · norm ${norm(vector).toFixed(3)}`)
  for (const [at, value] of vector.entries()) {
    const longer = safe`${facts}${at === 0 ? safe` · ` : safe` `}${sanitizeName(value.toFixed(4))}`
    const isLast = at === vector.length - 1
    if (longer.length + (isLast ? 0 : 2) > columns) return at === 0 ? facts : safe`${facts} …`
    facts = longer
  }
  return facts
}

/** The start of a text, on one line and at most `columns` wide. */
export function labelOf(text: string, columns: number): SafeText {
  return cutTo(sanitizeName(text).trim(), columns)
}
