/** `--compare`: the similarity of each text to every other. */

import type { Sink } from '../io/io.ts'
import { safe, sanitizeForTerminal } from '../io/text/safe-text.ts'
import { yieldToEventLoop } from '../io/time/abort-signal.ts'
import type { EmbeddedGroups } from './formats.ts'
import { directionOf, similaritiesOf } from './similarity.ts'
import { labelOf } from './summary.ts'
import { append } from '../io/arrays.ts'

/** In columns. */
const maxLabelWidth = 24

/**
 * Writes a line for each text: tab-separated numbers with the precision of 32-bit embeddings; on a terminal rounded ones, and the
 * start of the text. All similarities together may not fit into memory.
 * @param signal Stops the comparison, which is slow for thousands of texts.
 */
export async function writeComparison(groups: EmbeddedGroups, out: Sink, signal: AbortSignal): Promise<void> {
  const directions: Float64Array[] = []
  const texts: string[] = []
  for await (const group of groups) {
    append(directions, group.vectors.map(directionOf))
    append(texts, group.texts)
  }
  for (const [index, text] of texts.entries()) {
    await yieldToEventLoop(signal)
    const cosines = similaritiesOf(index, directions)
    if (out.isTerminal) {
      const numbers = cosines.map((cosine) => cosine.toFixed(2).padStart(5)).join(' ')
      await out.write(safe`${sanitizeForTerminal(numbers)}  ${labelOf(text, maxLabelWidth)}\n`)
    } else await out.write(`${cosines.map((cosine) => String(Number(cosine.toFixed(6)))).join('\t')}\n`)
  }
}
