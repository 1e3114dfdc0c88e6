import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CustomIds, customIdOf } from '../../src/batch/input/custom-id.ts'
import { openFile, recordsOf } from '../helpers/batch-input.ts'

/** The messages about duplicates, by line. */
async function duplicates(text: string, name = 'in.jsonl'): Promise<[number, string][]> {
  const ids = new CustomIds()
  for (const record of await recordsOf(text, name)) ids.add(customIdOf(record, 'in', 'custom_id'))
  const input = await openFile(text, name)
  const found = await ids.duplicates(() => input.read(), 'in')
  input.close()
  return [...found].map(([line, { message }]) => [line, message])
}

test('duplicates name both lines', async () => {
  const text = ['{"custom_id":"a"}', '', '{"custom_id":"b"}', '{"custom_id":"a"}', '{"custom_id":"a"}'].join('\n')
  expect(await duplicates(text)).toEqual([
    [4, 'in, line 4: the custom_id "a" is that of line 1 already'],
    [5, 'in, line 5: the custom_id "a" is that of line 1 already'],
  ])
})

test('an id can be that of a row without one', async () => {
  expect(await duplicates('{"custom_id":"line-2"}\n{}\n')).toEqual([
    [2, 'in, line 2: the custom_id "line-2" is that of line 1 already'],
  ])
})

test('rows of a table can have ids', async () => {
  expect(await duplicates('custom_id,b\n1,x\n,y\n1,z\n', 'in.csv')).toEqual([
    [4, 'in, line 4: the custom_id "1" is that of line 2 already'],
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
    { numRuns: 5 },
  )
})
