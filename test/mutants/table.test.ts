/** What `npm run mutants` tries. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { applied, checkout, promises, type Broken, type Mutant } from './mutant.ts'
import { mutants } from './table.ts'

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))('%s: applies', (_name, mutant) => {
  expect(mutant.replacement).not.toBe(mutant.search)
  expect(() => applied(mutant, checkout)).not.toThrow()
})

test('each has a name of its own, and one to three test files', () => {
  const names = mutants.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(mutants.filter(({ tests }) => tests.length < 1 || tests.length > 3)).toEqual([])
})

const readme = readFileSync(`${checkout}/README.md`, 'utf8')

/** The first cells of the table that has a line in its header. */
function firstCells(header: string): string[] {
  const [, after = ''] = readme.split(header)
  const [table = ''] = after.split('\n\n')
  return table
    .split('\n')
    .slice(2)
    .map((row) => row.split('|')[1]?.trim() ?? '')
}

function count(broken: Broken): number {
  return mutants.filter(({ breaks }) => breaks.includes(broken)).length
}

describe('two to four mutants', () => {
  const rows = firstCells('| promise | tests |')

  test.each(rows)('break the promise: %s', (row) => {
    const names = Object.entries(promises).flatMap(([name, start]) => (row.startsWith(start) ? [name as Broken] : []))
    expect(names).toHaveLength(1)
    expect([2, 3, 4]).toContain(count(names[0] as Broken))
  })

  test.each([...firstCells('| exit status | meaning |'), '141'])('break the exit status %s', (status) => {
    expect([2, 3, 4]).toContain(count(`exit ${status}`))
  })
})

describe('what is searched', () => {
  const mutant: Mutant = {
    name: 'x',
    file: 'io/url.ts',
    search: 'export\tfunction webUrl (',
    replacement: '',
    tests: ['help.test.ts'],
    breaks: ['exit 2'],
  }

  test('is found in another layout', () => {
    expect(applied(mutant, checkout)).not.toContain('webUrl(')
  })

  test.each([
    ['does not exist', { file: 'io/none.ts' }],
    ['does not contain', { search: 'no such text' }],
    ['contains more than once', { search: 'export function' }],
    ['test/none.test.ts does not exist', { tests: ['help.test.ts', 'none.test.ts'] }],
  ])('else the error says: %s', (message, change) => {
    expect(() => applied({ ...mutant, ...change }, checkout)).toThrow(message)
  })
})
