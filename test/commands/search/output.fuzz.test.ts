/** `syn search`: the output formats. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../helpers/any-character.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { found, search } from '../../helpers/search.ts'
import { json, startService } from '../../helpers/service.ts'
import { samples } from '../../helpers/samples.ts'

const lines = [
  'https://example.com/tower\tThe tower\t2025-11-05T10:00:00.000Z\tIt is 330 metres tall. The tower opened in 1889.',
  'https://example.org/a?b=c&d\t\t\tone … two',
  'https://example.net/\t\t\t',
]
const urls = found.results.map(({ url }) => url)

test.each<[argv: string[], expected: string[]]>([
  [[], lines],
  [['--urls', '--limit', '1'], urls.slice(0, 1)],
  [['--json'], [JSON.stringify(found)]],
])('off a terminal, %j', async (argv, expected) => {
  const { code, out, err } = await search([...argv, 'tower'])
  expect({ code, err, lines: out.split('\n') }).toEqual({ code: 0, err: '', lines: [...expected, ''] })
  const path = join(emptyFolder(), 'found')
  expect(await search([...argv, '-o', path, 'tower'], { isTerminal: true })).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(path, 'utf8')).toBe(out)
})

test('--urls prints only what curl may get', async () => {
  const rows = [
    'javascript:alert(1)',
    'file:///etc/passwd',
    '-o/tmp/x',
    'HTTP://B.example/x -o/y',
    'https://c.example/é',
  ]
  const { code, out, err } = await search(['--urls', 'x'], { answer: json({ results: rows.map((url) => ({ url })) }) })
  expect({ code, out }).toEqual({ code: 0, out: 'http://b.example/x%20-o/y\nhttps://c.example/%C3%A9\n' })
  expect(err).toBe('syn: 3 results have no http or https URL\n')
})

test('no results: a notice, and success', async () => {
  const answer = json({ results: [] })
  const outcome = { code: 0, out: '', err: 'syn: no results\n' }
  expect(await search(['--urls', 'tower'], { answer })).toMatchObject(outcome)
  expect(await search(['-q', 'tower'], { answer })).toMatchObject({ ...outcome, err: '' })
})

test.each<[flags: string[], message: string]>([
  [['--limit', '0'], '--limit: 0 is not accepted; expected a whole number, at least 1'],
  [['--query', 'tree'], '--query and QUERY cannot be combined'],
  [['-o', '/nowhere/at/all'], '--output: cannot write /nowhere/at/all'],
])('%j is refused before anything is sent', async (flags, message) => {
  const { code, out, err, asked } = await search([...flags, 'tower'])
  expect({ code, out, asked }).toEqual({ code: 2, out: '', asked: [] })
  expect(err).toContain(`syn: ${message}`)
})

describe('malformed rows', () => {
  test('a row without a URL gets a notice, and the others are printed', async () => {
    const rows = [{ title: 'nowhere' }, found.results[2]]
    const { code, out, err } = await search(['x'], { answer: json({ results: rows }) })
    expect({ code, out, err }).toEqual({ code: 0, out: `${lines[2]}\n`, err: 'syn: 1 result has no URL\n' })
  })

  const value = fc.oneof(
    fc.constantFrom(
      null,
      '',
      'https://a.b/c',
      'javascript:alert(1)',
      '\u001b]8;;x\u001b\\',
      'x\ty\nz',
      7,
      [],
      ['a', 1],
    ),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.jsonValue({ maxDepth: 1 }),
  )
  const row = fc.record(
    { url: value, title: value, text: value, highlights: value, published: value },
    { requiredKeys: [] },
  )

  test('any rows: every URL is printed, and a terminal gets no control characters', async () => {
    let rows: unknown[] = []
    await using service = await startService((asked, response) => json({ results: rows })(asked, response))
    const view = fc.record({
      isTerminal: fc.boolean(),
      columns: fc.integer({ min: 1, max: 120 }),
      query: fc.string({ minLength: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(row, value), { maxLength: 4 }), view, async (odd, { query, ...options }) => {
        rows = [...odd, { url: 'https://good.example/' }]
        const { code, out, err } = await runSyn(['search', '--', `a${query}`], { ...options, env: service.env })
        const message = err.replaceAll(/\s+/g, ' ').trim()
        expect({ code, message: message.replace(/^syn: \d results? ha(s|ve) no URL$/, '') }).toEqual({
          code: 0,
          message: '',
        })
        expect(out).toContain('https://good.example/')
        if (options.isTerminal) {
          const plain = out.replaceAll(/\u001b\[\d+m/g, '')
          expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        } else for (const line of out.split('\n').slice(0, -1)) expect(line.split('\t')).toHaveLength(4)
      }),
      samples(15),
    )
  })
})
