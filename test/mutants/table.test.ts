/** What `npm run mutants` tries. */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { applied, checkout, faultTests, promises, runsOf, type Broken, type Mutant } from './mutant.ts'
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

function count(matches: (mutant: Mutant) => boolean): number {
  return mutants.filter(matches).length
}

describe('at least two mutants', () => {
  const rows = firstCells('| promise | tests |')

  test.each(rows)('break the promise: %s', (row) => {
    const names = Object.entries(promises).flatMap(([name, start]) => (row.startsWith(start) ? [name as Broken] : []))
    expect(names).toHaveLength(1)
    expect(count(({ breaks = [] }) => breaks.includes(names[0] as Broken))).toBeGreaterThanOrEqual(2)
  })

  test.each([...firstCells('| exit status | meaning |'), '141'])('break the exit status %s', (status) => {
    expect(count(({ breaks = [] }) => breaks.includes(`exit ${status}`))).toBeGreaterThanOrEqual(2)
  })

  const faults = ['axes', 'processes'].flatMap((folder) =>
    readdirSync(`${checkout}/test/faults/${folder}`).map((file) => `faults/${folder}/${file}`),
  )

  test.each(faults)('are caught by %s alone', (file) => {
    expect(count(({ tests }) => tests.join() === file)).toBeGreaterThanOrEqual(2)
  })

  test('every file of the table of faults has its tests', () => {
    expect(Object.keys(faultTests).sort()).toEqual(faults.sort())
  })

  const folders = readdirSync(`${checkout}/src`, { withFileTypes: true }).filter((entry) => entry.isDirectory())

  test.each(folders.map(({ name }) => name))('change src/%s', (folder) => {
    expect(count(({ file }) => file.startsWith(`${folder}/`))).toBeGreaterThanOrEqual(2)
  })
})

describe('one that does not apply', () => {
  const mutant: Mutant = {
    name: 'x',
    file: 'io/url.ts',
    search: 'export function webUrl',
    replacement: '',
    tests: ['help.test.ts'],
  }
  test.each([
    ['does not exist', { file: 'io/none.ts' }],
    ['does not contain', { search: 'no such text' }],
    ['contains more than once', { search: 'export function' }],
    ['test/none.test.ts does not exist', { tests: ['help.test.ts', 'none.test.ts'] }],
  ])('%s', (message, change) => {
    expect(() => applied({ ...mutant, ...change }, checkout)).toThrow(message)
  })
})

test('a file of the table of faults is tried by its cases, after the other files', () => {
  expect(runsOf({ tests: ['faults/axes/end.ts', 'help.test.ts'] })).toEqual([
    { files: ['help.test.ts'], names: '' },
    { files: ['faults/axes.test.ts'], names: 'End of a stream' },
  ])
  expect(existsSync(`${checkout}/test/faults/axes.test.ts`)).toBe(true)
})
