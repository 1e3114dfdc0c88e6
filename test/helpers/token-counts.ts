/**
 * Texts with the number of their tokens for three models, as their tokenizers count, without special tokens: the first three
 * articles of the Universal Declaration of Human Rights in nine languages, code and data. And rows of three inputs, with the
 * median of these numbers: reviews, files of source code, and lines of the declaration in Chinese.
 */

import { readFileSync } from 'node:fs'

interface CountedText {
  readonly name: string
  readonly counts: Readonly<Record<'Qwen 2.5' | 'DeepSeek V3' | 'GPT-4o', number>>
  readonly text: string
}

export interface CountedRow {
  readonly text: string
  readonly tokens: number
}

const { texts, rows } = JSON.parse(readFileSync(new URL('../fixtures/token-counts.json', import.meta.url), 'utf8')) as {
  texts: CountedText[]
  rows: Record<'reviews' | 'files' | 'lines', CountedRow[]>
}

export const countedRows = rows

/** The name of each text, the text, and the median of its counts. */
export const countedTexts = texts.map(({ name, counts, text }) => {
  const [, median = NaN] = Object.values(counts).sort((one, other) => one - other)
  return [name, text, median] as const
})
