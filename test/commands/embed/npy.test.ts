/** NumPy arrays are written while the embeddings arrive, though their header has the number of rows. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { embed, refusalOf, wellBehaved, type EmbedOptions } from '../../helpers/embed.ts'
import { mebibyte, repeated } from '../../helpers/large.ts'
import { npyRows } from '../../helpers/npy.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json } from '../../helpers/service.ts'

/** The number of texts in a long pipe is known at its end only. */
const textSize = mebibyte / 4
const texts = 10 * 4
const longPipe = (): EmbedOptions => ({ stdin: repeated('x'.repeat(textSize - 1) + '\n', 10) })

function failingFrom(first: number): NonNullable<EmbedOptions['answer']> {
  return (request) => (request >= first ? json({ error: 'no such luck' }, 500) : wellBehaved)
}

test('a pipe gets the number of rows first', async () => {
  const argv = ['--format', 'npy', '--batch-size', '1', '--retries', '0', 'a', 'b', 'c']
  const { code, out } = await embed(argv, { answer: failingFrom(2) })
  // NumPy reports that the rows are missing.
  expect({ code, shape: /'shape': \((.+?)\)/.exec(out)?.[1] }).toEqual({ code: 7, shape: '3, 3' })
})

describe('of a long pipe', () => {
  test('standard output cannot get the number of rows', async () => {
    const message = '--format npy starts with the number of texts, which is unknown until all of a pipe is read'
    expect(await refusalOf(['--lines', '--format', 'npy'], longPipe())).toBe(`${message} (use -o vectors.npy)`)
  })

  test('a file gets it at the end', async () => {
    const file = join(emptyFolder(), 'e.npy')
    expect(await embed(['--lines', '-o', file], longPipe())).toMatchObject({ code: 0, out: '', err: '' })
    const row = [textSize - 1, 'x'.charCodeAt(0), 1]
    expect(npyRows(readFileSync(file))).toEqual(Array.from({ length: texts }, () => row))
  })

  test('the file of a run that breaks off has that of the rows in it', async () => {
    const folder = emptyFolder()
    const argv = ['--lines', '--retries', '0', '-o', join(folder, 'e.npy')]
    expect(await embed(argv, { ...longPipe(), answer: failingFrom(4) })).toMatchObject({ code: 7 })
    expect(readdirSync(folder)).toEqual(['e.npy.partial'])
    expect(npyRows(readFileSync(join(folder, 'e.npy.partial')))).toHaveLength(3)
  })
})
