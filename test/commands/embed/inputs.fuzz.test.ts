/** Texts in tables, however they are quoted. */

import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textsSentBy } from '../../helpers/embed.ts'
import { samples } from '../../helpers/samples.ts'

const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\t', '\n', '\r', '"', ',', ' ', 'a') }))

test.each<[format: string, delimiter: string]>([
  ['csv', ','],
  ['tsv', '\t'],
])('any texts survive a round trip as %s', async (format, delimiter) => {
  const table = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), text), { minLength: 1, maxLength: 50 })
  const property = fc.asyncProperty(table, async (rows) => {
    const document = stringify([['id', 'text'], ...rows.map(([id, text]) => [`#${id}`, text])], { delimiter })
    const texts = await textsSentBy(['--input-format', format, '--batch-size', '1000'], { stdin: document })
    expect(texts).toEqual(rows.map(([, text]) => text))
  })
  await fc.assert(property, samples(12))
})
