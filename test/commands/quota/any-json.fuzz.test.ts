/** Whatever the service tells is shown, and none of it is dropped. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/io/json/json.ts'
import { anyCharacter } from '../../helpers/any-character.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { json, startService } from '../../helpers/service.ts'
import { samples } from '../../helpers/samples.ts'

const words =
  'subscription search hourly limit requests renewsAt remaining max limited nextTickAt percentRemaining maxCredits ' +
  'remainingCredits nextRegenAt __proto__ constructor undefined tier a.b'
const key = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words.split(' ')) }, fc.string({ maxLength: 5 }))
const amount = fc.oneof(
  fc.integer({ min: -5, max: 1_000_000 }),
  fc.integer({ min: 0, max: 99_999 }).map((hundredths) => hundredths / 100),
  fc.integer({ min: 0, max: 99_999 }).map((cents) => `$${(cents / 100).toFixed(2)}`),
)
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom('2026-08-19T20:18:11.436Z', '\u001b[2J'),
)
const { tree } = fc.letrec<{ tree: Json; value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    amount,
    text,
    fc.constantFrom(true, false, null, [], {}, [1, { a: '\t' }]),
    tie('tree'),
  ),
  tree: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
}))
const record = tree as fc.Arbitrary<JsonObject>

interface Leaf {
  path: string
  value: Json
}

function leavesOf(value: Json, path: string[] = []): Leaf[] {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  if (!isBranch) return path.length === 0 ? [] : [{ path: path.join('.'), value }]
  return Object.entries(value).flatMap(([key, held]) => leavesOf(held, [...path, key]))
}

function plainText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Runs against one service that answers with one record after the other. */
async function forAll(
  argv: string[],
  columns: number | undefined,
  check: (leaves: Leaf[], out: string) => void,
): Promise<void> {
  let answered: JsonObject = {}
  await using service = await startService((asked, response) => json(answered)(asked, response))
  const property = fc.asyncProperty(record, async (given) => {
    answered = given
    const terminal = columns === undefined ? {} : { isTerminal: true, columns }
    const { code, out, err } = await runSyn(['quota', '-q', ...argv], { env: service.env, ...terminal })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    check(leavesOf(given), out)
  })
  await fc.assert(property, samples(10))
}

/** A cell has neither tabs nor line ends. */
function celled(text: string): string {
  return text.replaceAll(/[\t\r\n]/g, ' ')
}

/** The text of a value in a cell. A number in place of a credit text is formatted as dollars. */
function cellTexts(path: string, value: Json): string[] {
  const isCredit = typeof value === 'number' && /(max|remaining)Credits$/.test(path)
  return [celled(plainText(value)), ...(isCredit ? [`${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(2)}`] : [])]
}

test('in a pipe each value is in a cell of its block, or on a line with its path', async () => {
  await forAll([], undefined, (leaves, out) => {
    const rows = out.split('\n').map((line) => line.split('\t'))
    for (const { path, value } of leaves) {
      const block = path.slice(0, Math.max(0, path.lastIndexOf('.')))
      const cells = rows
        .filter(([name]) => name === celled(path) || name === celled(block))
        .flatMap(([, ...others]) => others)
      expect(cells.filter((cell) => cellTexts(path, value).includes(cell))).not.toEqual([])
    }
    for (const row of rows.slice(0, -1)) expect([2, 5]).toContain(row.length)
  })
})
