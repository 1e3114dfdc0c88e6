/** Malformed rows neither hide the others nor cause a crash. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../helpers/any-character.ts'
import { models } from '../../helpers/models.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { json, startService } from '../../helpers/service.ts'
import { samples } from '../../helpers/samples.ts'

const good = { id: 'hf:good/one', context_length: 1000 }

test('a notice about rows without an ID', async () => {
  const answer = json({ data: [null, 'x', 7, [], { id: '' }, { id: 5 }, good] })
  const { code, out, err } = await models([], { answer })
  expect({ code, err }).toEqual({ code: 0, err: 'syn: 6 rows of the list have no ID\n' })
  expect(out).toContain('hf:good/one\t1000\t')
  expect((await models(['-q'], { answer })).err).toBe('')
})

test.each<[title: string, row: object, line: string]>([
  ['lengths', { context_length: -5 }, ''],
  ['kinds that are no list', { input_modalities: 'text', supported_features: { tools: true } }, ''],
  ['a list of mixed kinds', { input_modalities: ['text', null, 7, 'image'] }, '\ttext,image'],
  ['a price below nothing', { pricing: { prompt: '-1', completion: '-1' } }, ''],
  ['one price of two', { pricing: { completion: '$0.000002' } }, '\t\t\t\t0.000002'],
])('%s: invalid values are left out', async (_title, row, line) => {
  const { out } = await models([], { answer: json({ data: [{ id: 'hf:a/odd', ...row }] }) })
  expect(out.split('\n')[0]?.trimEnd()).toBe(`hf:a/odd\t${line}`.trimEnd())
})

const keys =
  'id name context_length max_output_length created input_modalities output_modalities supported_features pricing ' +
  'prompt completion hugging_face_id reasoning_parameters __proto__ constructor'
const text = fc.oneof(
  fc.constantFrom('hf:a/b', 'syn:large:text', 'a/b', '$0.1', 'image', '\u001b[31m', 'a\tb\nc', '\u202e'),
  fc.string({ unit: anyCharacter, maxLength: 5 }),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom(null, true, 0, -1, 8192, 1e300, 1.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys.split(' ')), tie('value'), { maxKeys: 4 }),
  ),
}))
const row = fc.oneof(value, fc.record({ id: text, hugging_face_id: value, context_length: value, pricing: value }))

test('any rows: all IDs are listed, and a terminal gets no control characters', async () => {
  let rows: unknown[] = []
  await using service = await startService((asked, response) => json({ data: rows })(asked, response))
  const view = fc.record({
    isTerminal: fc.boolean(),
    columns: fc.integer({ min: 20, max: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 4 }), view, async (odd, { isTerminal, columns }) => {
      rows = [...odd, { ...good, odd, first: odd[0] ?? '' }]
      const run = await runSyn(['models', '--refresh'], { env: service.env, isTerminal, columns })
      expect({
        code: run.code,
        err: run.err.replace(/^syn:\s\d\srows?\sof\sthe\slist\sha(s|ve)\sno\sID\n$/, ''),
      }).toEqual({
        code: 0,
        err: '',
      })
      expect(run.out).toContain('good/one')
      if (isTerminal)
        expect(run.out.replaceAll(/\u001b\[\d+m/g, '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
      else for (const line of run.out.split('\n').slice(0, -1)) expect(line.split('\t')).toHaveLength(10)
    }),
    samples(15),
  )
})
