/** `syn batch` with a template that has no column: each row would be the same request. */

import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/io/text/shell-word.ts'
import { BatchProgram } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService } from '../helpers/batch-service.ts'

const inputs = [
  ['in.csv', 'id,text\n1,a\n2,b\n', '{{text}}'],
  ['in.txt', 'a\n\nb\n', '{{.}}'],
] as const

test.each(inputs)('%s: it is refused for two rows, before anything is sent', async (name, text, column) => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service)
  const input = batch.path(name)
  writeFileSync(input, text)
  const refused = {
    code: 2,
    out: '',
    err: expect.stringContaining(`hint: use a column, such as ${column}; `) as string,
  }
  expect(await batch.run([input, '-t', 'Say {text}'])).toMatchObject(refused)
  expect(await batch.run([input, '-t', 'Say {text}', '-o', batch.output])).toMatchObject(refused)
  expect(await batch.run([input, '-t', 'Say {text}', '--dry-run'])).toMatchObject(refused)
  if (name === 'in.txt') expect(await batch.pipe(text, '--lines', '-t', 'Say {text}')).toMatchObject(refused)
  expect((await service.counts()).statuses).toEqual({})
  expect(batch.exists('out.jsonl')).toBe(false)
})

test('one row, or --yes, is sent', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['a', 'b'])
  const answer = `${batchAnswer('Say')}\n`
  expect(await batch.filter('-t', 'Say', '--limit', '1')).toMatchObject({ code: 0, out: answer })
  expect(await batch.pipe('a\n', '--lines', '-t', 'Say')).toMatchObject({ code: 0, out: answer })
  expect(await batch.filter('-t', 'Say', '--yes')).toMatchObject({ code: 0, out: answer + answer })
})

test('the path of a file without its @ is named', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['a', 'b'])
  const { code, err } = await batch.filter('-t', batch.input)
  expect({ code, err }).toMatchObject({
    code: 2,
    err: expect.stringContaining(`hint: use -t @${shellWord(batch.input)}; `) as string,
  })
})
