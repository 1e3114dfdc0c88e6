/** `syn count-tokens` where models cannot count: another one does, and a warning says which. */

import { describe, expect, test } from 'vitest'
import { liveReply } from '../helpers/fixtures.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService, type Service } from '../helpers/service.ts'

const large = { id: 'syn:large:text', hugging_face_id: 'acme/Flash-5' }
const autumn = liveReply('autumn-models')
const warning = 'syn: counted with hf:acme/Flash-4: hf:acme/Flash-5 cannot count\n'
const failure = 'Error from inference backend: no tokenizer'

/** A service where only these models can count. */
function serviceWith(able: readonly string[], list: unknown = autumn): Promise<Service> {
  return startService((asked, response) => {
    if (asked.path.endsWith('/models')) return json(list)(asked, response)
    const { model } = asked.json as { model: string }
    const reply = able.includes(model) ? json({ input_tokens: 7 }) : json({ error: failure }, 500)
    return reply(asked, response)
  })
}

function asked({ asked: all }: Service): string[] {
  return all.flatMap(({ json: body }) => (body === undefined ? [] : [(body as { model: string }).model]))
}

const small = ['syn:small:text']

test.each<[title: string, argv: string[], able: string[], sent: string[], out: string, err: string]>([
  ['the default', [], small, ['syn:large:text', 'syn:small:text'], '7\n', warning],
  ['also with -q', ['-q'], small, ['syn:large:text', 'syn:small:text'], '7\n', warning],
  ['one that can', [], ['syn:large:text'], ['syn:large:text'], '7\n', ''],
  [
    'the next one that can',
    [],
    ['syn:small:vision'],
    ['syn:large:text', 'syn:small:text', 'syn:large:vision', 'syn:small:vision'],
    '7\n',
    'syn: counted with syn:small:vision: hf:acme/Flash-5 cannot count\n',
  ],
  [
    'a model named, with --fallback',
    ['-m', 'hf:acme/Flash-5', '--fallback'],
    small,
    ['hf:acme/Flash-5', 'syn:small:text'],
    '7\n',
    'syn: counted with hf:acme/Flash-4: hf:acme/Flash-5 cannot count\n',
  ],
  [
    'a gate, with a named one',
    ['--max', '9', '--fallback=hf:acme/Flash-4'],
    ['hf:acme/Flash-4'],
    ['syn:large:text', 'hf:acme/Flash-4'],
    '7\n',
    'syn: counted with hf:acme/Flash-4: hf:acme/Flash-5 cannot count\n',
  ],
  [
    'an image, which the small one does not take',
    ['-i', 'https://a.example/1'],
    ['syn:small:text', 'syn:large:vision'],
    ['syn:large:text', 'syn:large:vision'],
    '7\n',
    'syn: counted with hf:acme/Large-3: hf:acme/Flash-5 cannot count\n',
  ],
])('%s', async (_title, argv, able, sent, out, err) => {
  await using service = await serviceWith(able)
  const outcome = await runSyn(['count-tokens', 'hello', ...argv], { env: service.env })
  expect(outcome).toEqual({ code: 0, out, err })
  expect(asked(service)).toEqual(sent)
})

describe('without --fallback', () => {
  test.each([[['-m', 'hf:acme/Flash-5']], [['--max', '9']]])('%j fails at once', async (argv) => {
    await using service = await serviceWith(small)
    const { code, out, err } = await runSyn(['count-tokens', 'hello', ...argv], { env: service.env })
    expect({ code, out, requests: asked(service).length }).toEqual({ code: 6, out: '', requests: 1 })
    expect(err).toContain('--fallback takes the count of another model')
  })
})

test('where none can count, at most three others are asked', async () => {
  await using service = await serviceWith([], { data: [large] })
  const { code, err } = await runSyn(['count-tokens', 'hello'], { env: service.env })
  expect({ code, requests: asked(service).length }).toEqual({ code: 6, requests: 4 })
  expect(err).toContain(failure)
})

test('what counted a text is not asked about an image that it does not take', async () => {
  await using service = await serviceWith(['syn:small:text', 'syn:large:vision'])
  const env = { ...service.env, HOME: emptyFolder() }
  for (const image of [[], ['-i', 'https://a.example/1']]) {
    expect(await runSyn(['count-tokens', 'hello', ...image], { env })).toMatchObject({ code: 0 })
  }
  expect(asked(service)).toEqual(['syn:large:text', 'syn:small:text', 'syn:large:text', 'syn:large:vision'])
})
