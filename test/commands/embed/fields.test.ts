/** Every field of section 2.3 on the wire, and the body from its sources. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bodiesOf, embed, model, refusalOf } from '../../helpers/embed.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { sentFields, specifiedFields } from '../../helpers/specification.ts'

type Row = [field: string, words: string[], value: unknown]

const rows: Row[] = [
  ['model', ['-m', 'hf:nomic-ai/nomic-embed', 'hi'], 'hf:nomic-ai/nomic-embed'],
  ['model', ['--model', 'hf:a/b', 'hi'], 'hf:a/b'],
  ['input', ['hi'], 'hi'],
  ['input', ['--input', 'hi'], 'hi'],
  ['input', ['--input', 'one', '--input', 'two'], ['one', 'two']],
  ['input', ['one', 'two'], ['one', 'two']],
  ['dimensions', ['--dimensions', '256', 'hi'], 256],
]

test.each(rows)('%s from %j', async (field, words, value) => {
  expect(await bodiesOf(words)).toEqual([{ model, input: 'hi', [field]: value }])
})

test('the flags cover the table of the specification, each with each type it allows', () => {
  expect(specifiedFields('2.3')).toHaveLength(3)
  const sent = rows.map(([field, , value]) => [field, value] as const)
  expect(sentFields('2.3', sent)).toEqual(specifiedFields('2.3'))
})

describe('the body from its sources', () => {
  const file = join(emptyFolder(), 'body.json')
  writeFileSync(file, JSON.stringify({ model: 'hf:org/body', input: ['from the body'], dimensions: 3 }))

  test.each<[argv: string[], body: object]>([
    [['--body', file, 'hi'], { model: 'hf:org/body', input: 'hi', dimensions: 3 }],
    [['--body', file, '-p', 'dimensions=4'], { model: 'hf:org/body', input: 'from the body', dimensions: 4 }],
    [['--body', file, '-m', 'hf:a/b', '--dimensions', '5'], { model: 'hf:a/b', input: 'from the body', dimensions: 5 }],
    [['-p', 'input=["a","b"]'], { model, input: ['a', 'b'] }],
  ])('%j', async (argv, body) => {
    expect(await bodiesOf(argv)).toEqual([body])
  })

  test.each(['-p input=5', '-p input=[1,2]'])('%s is no input', async (line) => {
    expect(await refusalOf(line.split(' '))).toMatch(
      /^--param input: \S+ is not accepted; expected a string or an array of strings$/,
    )
  })
})

describe('a preview', () => {
  test('--dry-run prints a body that --body accepts', async () => {
    const printed = await embed(['--dry-run', '-q', '--dimensions', '2', 'a', 'b'])
    expect(printed).toMatchObject({ code: 0, err: '', asked: [], others: [] })
    expect(JSON.parse(printed.out)).toEqual({ model, input: ['a', 'b'], dimensions: 2 })
    expect(await bodiesOf(['--body', '-'], { stdin: printed.out })).toEqual([JSON.parse(printed.out)])
  })

  test('of several requests shows the first, with a notice', async () => {
    const { code, out, err } = await embed(['--dry-run', '--batch-size', '2', 'a', 'b', 'c'])
    expect({ code, body: JSON.parse(out) as unknown }).toEqual({ code: 0, body: { model, input: ['a', 'b'] } })
    expect(err).toMatch(/^syn: 3 texts need 2 requests; showing the first\nsyn: POST http.+\/openai\/v1\/embeddings\n$/)
  })
})
