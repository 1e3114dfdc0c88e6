/** Every field of section 2.2 on the wire, from flags alone, with the right type. */

import { expect, test } from 'vitest'
import { complete, sentBy } from '../../helpers/complete.ts'
import { sentFields, specifiedFields, withPlainFields } from '../../helpers/specification.ts'

const rows = withPlainFields('2.2', [
  ['model', ['--model', 'hf:zai-org/GLM-4.7'], 'hf:zai-org/GLM-4.7'],
  ['prompt', [], 'Once'],
  ['prompt', ['--prompt', 'Twice'], ['Once', 'Twice']],
  ['echo', ['--no-echo'], false],
  ['logit_bias', ['--logit-bias', '{"42": -100, "7": 3.5}'], { 42: -100, 7: 3.5 }],
  ['logprobs', ['--logprobs', '5'], 5],
  ['max_tokens', ['--max-tokens', '0'], 0],
  ['reasoning_effort', ['--reasoning-effort', 'low'], 'low'],
  ['stop', ['--stop', 'END'], 'END'],
  ['stop', ['--stop', 'one', '--stop', 'two'], ['one', 'two']],
  ['stream', ['--stream'], true],
  ['stream', ['--no-stream'], false],
  ['stream_options', ['--stream-options', '{"include_usage":true}'], { include_usage: true }],
])

test.each(rows)('%s from %j', async (field, words, value) => {
  const usual = { model: 'syn:large:text', prompt: 'Once', stream: true }
  expect(await sentBy([...words, 'Once'])).toEqual({ ...usual, [field]: value })
})

test('the flags cover the table of the specification, each with each type it allows', () => {
  const sent = rows.map(([field, , value]) => [field, value] as const)
  expect(sentFields('2.2', sent)).toEqual(specifiedFields('2.2'))
})

test('a field without a flag is not sent', async () => {
  const { asked } = await complete(['Once'])
  expect(asked[0]).toMatchObject({
    method: 'POST',
    path: '/openai/v1/completions',
    body: '{"model":"syn:large:text","prompt":"Once","stream":true}',
  })
})

test('all fields at once: no combination is refused', async () => {
  const body = await sentBy([...rows.flatMap(([, flags]) => flags), 'Once'])
  expect(Object.keys(body).toSorted()).toEqual([...new Set(rows.map(([field]) => field))].toSorted())
})

test('a flag without a value leaves the next word to the prompt', async () => {
  expect(await sentBy(['--echo', 'Once'])).toMatchObject({ prompt: 'Once' })
})
