/** Values with a notation of their own, as each kind of spec reads them. */

import { expect, test } from 'vitest'
import * as notations from '../../src/fields/notations.ts'
import { runSyn } from '../helpers/run-syn.ts'

const { delimiter, jobs, keyPath, part, share, time } = notations
const counts = notations.countOrPercentage('N', 50)
const wholeCounts = notations.countOrPercentage('N', 10, /^[^.]+$/)
const hour = 3_600_000

interface Row {
  readonly placeholder: string
  parse(text: string): unknown
}

test.each<[row: Row, text: string, value: unknown]>([
  [part, '3/8', { index: 3, count: 8 }],
  [jobs, 'auto', { min: 1, max: 64 }],
  [jobs, '2-16', { min: 2, max: 16 }],
  [share, '2.5%', 0.025],
  [share, '7.2%', 9 / 125],
  [share, '0.95', 0.95],
  [time, '1.5m', 90_000],
  [time, '5h', 5 * hour],
  [delimiter, ';', ';'],
  [delimiter, String.raw`\t`, '\t'],
])('$placeholder: %s', (row, text, value) => {
  expect(row.parse(text)).toEqual(value)
})

const refused: readonly (readonly [row: Row, texts: readonly string[]])[] = [
  [part, ['0/3', '4/3', '1', '1/3/5', '']],
  [jobs, ['0', '8-2', '1001', '2-', '1.5']],
  [counts, ['-1', '101%', '', '1e3']],
  [wholeCounts, ['1.5', '101%']],
  [share, ['5', '1', '1.01', '101%', '-1%']],
  [time, ['0s', '60', '1d', '1.2.3s', '']],
  [delimiter, ['', ';;', '"', '\n', '\0']],
  [keyPath, ['', 'a..b', '.a', 'a. ']],
]

test.each(refused.flatMap(([row, texts]) => texts.map((text) => [row, text] as const)))(
  '$placeholder: %j is refused',
  (row, text) => {
    expect(row.parse(text)).toBe(undefined)
  },
)

test.each([
  ['batch --shard 0/3', 'I/N, with I from 1 to N'],
  ['batch --jobs many', 'auto, a number from 1 to 1000, or a range such as 4-32'],
  ['embed --delimiter ;;', 'one character, such as ; or |, or tab'],
])('syn %s', async (line, expected) => {
  const argv = line.split(' ')
  const [flag, text] = argv.slice(-2)
  const err = `syn: ${flag}: "${text}" is not accepted; expected ${expected}\n`
  expect(await runSyn(argv)).toEqual({ code: 2, out: '', err })
})
