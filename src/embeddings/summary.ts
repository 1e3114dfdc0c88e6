/** Shows embeddings on a terminal, in two lines each. */

import { pluralize } from '../io/text/plural.ts'
import { joinSafe, linesOf, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import type { Sink } from '../io/io.ts'
import type { Style } from '../terminal/style.ts'
import { cutTo } from '../terminal/width.ts'
import { cellOf, type EmbeddedGroups } from './formats.ts'

/** More fit on no line. */
const mostValues = 100

/** What is kept of the input is before the text. */
export async function writeSummaries(groups: EmbeddedGroups, out: Sink, style: Style): Promise<void> {
  for await (const { first, items, vectors } of groups) {
    const entries = vectors.map((vector, at) => {
      const number = safe`${first + at}`
      const indent = safe` `.repeat(number.length + 2)
      const label = (text: string): SafeText => cutTo(sanitizeName(text).trim(), out.columns() - indent.length)
      const { kept = [], text = '' } = items[at] ?? {}
      const shown = label([...kept.map(cellOf), text].join(' · '))
      const values = vector.slice(0, mostValues).map((value) => value.toFixed(4))
      const facts = label(`${pluralize(vector.length, 'dimension')} · ${values.join(' ')}`)
      return linesOf([
        safe`${number}  ${style.bold(shown === '' ? safe`(empty)` : shown)}`,
        safe`${indent}${style.dim(facts)}`,
      ])
    })
    await out.write(joinSafe(entries))
  }
}
