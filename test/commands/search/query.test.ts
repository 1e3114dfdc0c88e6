/** The query: words, standard input, or the body's. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, type RunOptions } from '../../helpers/run-syn.ts'
import { search } from '../../helpers/search.ts'

const file = join(emptyFolder(), 'body.json')
writeFileSync(file, '{"query":"from the body","extra":1}')

test.each<[argv: string[], options: RunOptions, body: unknown]>([
  [['one', 'two  three'], {}, { query: 'one two  three' }],
  [['--', '--one'], {}, { query: '--one' }],
  [[], { stdin: 'from\ninput\n' }, { query: 'from\ninput' }],
  [['one', '-', 'two'], { stdin: 'input\n' }, { query: 'one input two' }],
  // Standard input belongs to the loop that runs the command.
  [['one'], { stdin: 'the next line' }, { query: 'one' }],
  [['--query', 'flag'], { stdin: 'the next line' }, { query: 'flag' }],
  [['-q', '--body', 'FILE'], { stdin: 'the next line' }, { query: 'from the body', extra: 1 }],
  [['-q', '--body', 'FILE', 'word'], {}, { query: 'word', extra: 1 }],
  [['-p', 'max_results=5', 'word'], {}, { max_results: 5, query: 'word' }],
])('%j with %j', async (typed, options, body) => {
  const argv = typed.map((word) => (word === 'FILE' ? file : word))
  const { code, err, asked } = await search(argv, options)
  expect({ code, err, asked: asked.map(({ method, path, json: sent }) => ({ method, path, sent })) }).toEqual({
    code: 0,
    err: '',
    asked: [{ method: 'POST', path: '/search', sent: body }],
  })
  const dry = await search(['--dry-run', ...argv], options)
  expect({ json: JSON.parse(dry.out) as unknown, asked: dry.asked }).toEqual({ json: body, asked: [] })
})

test.each<[argv: string[], options: RunOptions]>([
  [[], {}],
  [[], { stdin: ' \n' }],
  [[' ', ''], {}],
])('%j with %j: no query', async (argv, options) => {
  const { code, out, err, asked } = await search(argv, options)
  expect({ code, out, asked }).toEqual({ code: 2, out: '', asked: [] })
  expect(err).toMatch(/^syn: no query: give it as arguments or on standard input\nhint: for example: syn search .+\n$/)
})

test('input that is not text is an error', async () => {
  const { code, err, asked } = await search([], { stdin: Buffer.of(0xff, 0xd8) })
  expect({ code, err, asked }).toEqual({ code: 2, err: 'syn: standard input: not UTF-8 text\n', asked: [] })
})
