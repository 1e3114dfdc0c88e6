/** Whatever texts and numbers go into a table, come out of it. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { embed, textsOf } from '../../helpers/embed.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { samples } from '../../helpers/samples.ts'
import { json, type Answer } from '../../helpers/service.ts'

interface Row {
  index: number
  text: string
  note: string
  embedding: number[]
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('\t', '\n', '\r', '"', ',', ' ', 'a') }),
)
const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)
const rows = fc
  .integer({ min: 1, max: 4 })
  .chain((length) => {
    const embedding = fc.array(float, { minLength: length, maxLength: length })
    // The service tells the rows apart by their texts.
    const selector = ({ text }: { text: string }): string => text
    return fc.uniqueArray(fc.record({ text, note: text, embedding }), { minLength: 1, maxLength: 9, selector })
  })
  .map((all): Row[] => all.map((row, index) => ({ index, ...row })))

/** The rows of a table with a header. */
function tableRows(bytes: Buffer, delimiter: string): Row[] {
  const [, ...lines] = parse(bytes, { delimiter, recordDelimiter: '\n' })
  return lines.map(([index, text = '', note = '', ...values]) => ({
    index: Number(index),
    text,
    note,
    embedding: values.map(Number),
  }))
}

test.each<[format: string, read: (bytes: Buffer) => unknown]>([
  ['csv', (bytes) => tableRows(bytes, ',')],
  ['tsv', (bytes) => tableRows(bytes, '\t')],
])('any rows as %s', async (format, read) => {
  const file = join(emptyFolder(), `e.${format}`)
  const property = fc.asyncProperty(rows, fc.integer({ min: 1, max: 5 }), async (expected, size) => {
    const stdin = expected.map(({ text, note }) => `${JSON.stringify({ text, note })}\n`).join('')
    const argv = ['--input-format', 'jsonl', '--with-text', '--keep', 'note', '--batch-size', String(size), '-o', file]
    const vectors = new Map(expected.map(({ text, embedding }) => [text, embedding]))
    const answer: Answer = (asked, response) => {
      const data = textsOf(asked).map((one, index) => ({ index, embedding: vectors.get(one) }))
      return json({ data })(asked, response)
    }
    const { code, err } = await embed(argv, { stdin, answer: () => answer })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(read(readFileSync(file))).toEqual(expected)
  })
  await fc.assert(property, samples(10))
})
