import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CheckId, createIdCheck, customIdOf, repeatedIn } from '../../src/batch/input/custom-id.ts'
import { hashNumber } from '../../src/batch/sha256.ts'
import { recordsOf } from '../helpers/batch-input.ts'
import { samples } from '../helpers/samples.ts'

/** The messages about duplicates, by line: the same in a pipe, where no id is known to come twice. */
async function duplicates(text: string, name = 'in.jsonl'): Promise<[number, string][]> {
  const records = await recordsOf(text, name)
  const rows = records.map((record) => ({ line: record.line, id: customIdOf(record, 'in', 'custom_id') }))
  const found = (checkId: CheckId): [number, string][] =>
    rows.flatMap(({ line, id }): [number, string][] => {
      try {
        checkId(id, line, 'in')
        return []
      } catch (error) {
        return [[line, (error as Error).message]]
      }
    })
  const all = found(createIdCheck(repeatedIn(rows.map(({ id }) => hashNumber(id)))))
  expect(found(createIdCheck())).toEqual(all)
  return all
}

test('an id can be that of a row without one', async () => {
  expect(await duplicates('{"custom_id":"line-2"}\n{}\n')).toEqual([
    [2, 'in, line 2: the custom_id "line-2" is that of line 1 already'],
  ])
})

test('every duplicate among many is found', async () => {
  const ids = fc.array(fc.nat(3000), { minLength: 1000, maxLength: 3000 })
  await fc.assert(
    fc.asyncProperty(ids, async (numbers) => {
      const text = numbers.map((id) => `{"custom_id":"r${id}"}`).join('\n')
      const expected = numbers.flatMap((id, at) => (numbers.indexOf(id) < at ? [at + 1] : []))
      expect((await duplicates(text)).map(([line]) => line)).toEqual(expected)
    }),
    samples(5),
  )
})
