/** `syn models show`: one model, by any of its names. */

import { expect, test } from 'vitest'
import { list, models } from '../../helpers/models.ts'
import { json } from '../../helpers/service.ts'

const [glm] = list.data

test.each(['zai-org/GLM-4.7', 'syn:large:text'])('%s: every key, and the aliases', async (name) => {
  const { code, out, err } = await models(['show', name])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.split('\n')).toEqual([
    'id\thf:zai-org/GLM-4.7',
    'object\tmodel',
    'name\tzai-org/GLM-4.7',
    'always_on\ttrue',
    'input_modalities\ttext',
    'output_modalities\ttext',
    'context_length\t202752',
    'max_output_length\t65536',
    'created\t1766361600',
    'pricing.prompt\t$0.00000055',
    'pricing.completion\t$0.00000219',
    'supported_features\ttools,json_mode,reasoning',
    'reasoning_parameters.efforts\tnone,high',
    'aliases\tsyn:large:text',
    '',
  ])
  expect(await models(['show', name, '--json'])).toMatchObject({ code: 0, out: `${JSON.stringify(glm)}\n`, err: '' })
})

test('an unknown key is shown unchanged', async () => {
  const row = {
    id: 'hf:a/b',
    created: 'long ago',
    pricing: { prompt: 'dear', image: '0.1', tiers: [{ from: 1 }] },
    nothing: null,
    none: [],
    empty: {},
    words: 'with\ttabs\nand lines',
  }
  const answer = json({ data: [row] })
  expect((await models(['show', 'a/b'], { answer })).out.split('\n')).toEqual([
    'id\thf:a/b',
    'created\tlong ago',
    'pricing.prompt\tdear',
    'pricing.image\t0.1',
    'pricing.tiers\t[{"from":1}]',
    'nothing\t',
    'none\t',
    'empty\t{}',
    'words\twith tabs and lines',
    '',
  ])
  const { out } = await models(['show', 'a/b'], { answer, isTerminal: true, env: { NO_COLOR: '1' } })
  expect(out.split('\n')).toEqual(
    expect.arrayContaining(['created         long ago', 'nothing         none', 'none            none']),
  )
})

test.each<[name: string, message: string]>([
  ['glm', 'no model named "glm"\nhint: did you mean hf:zai-org/GLM-4.7?\n'],
  ['syn:large:txt', 'no model named "syn:large:txt"\nhint: did you mean syn:large:text'],
  ['syn:small:text', 'the model list does not say which model syn:small:text points to\n'],
])('not in the list: exit 4: %s', async (name, message) => {
  const { code, out, err } = await models(['show', name, '--json'])
  expect({ code, out }).toEqual({ code: 4, out: '' })
  expect(err).toContain(`syn: ${message}`)
})
