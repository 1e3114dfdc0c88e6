/** A model that was rotated out: the hint, and `--fallback`. */

import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, type Asked } from '../helpers/service.ts'

const listed = {
  data: [
    { id: 'hf:zai-org/GLM-4.7' },
    'a malformed row',
    { id: 'hf:moonshotai/Kimi-K2' },
    { id: 'hf:zai-org/GLM-4.7-Flash' },
    { id: 'syn:large:text', hugging_face_id: 'zai-org/GLM-4.7' },
  ],
}

/** A service that has only the aliases. */
async function ask(
  argv: string[],
  models: unknown = listed,
  home = emptyFolder(),
): Promise<Outcome & { asked: Asked[] }> {
  await using service = await startService((asked, response) => {
    const { model } = (asked.json ?? {}) as { model?: string }
    if (asked.path.endsWith('/models')) return json(models)(asked, response)
    if (model?.startsWith('syn:')) return events(chatAnswer(['Hello']))(asked, response)
    return json({ error: `The model ${model} is gone` }, 404)(asked, response)
  })
  return { ...(await runSyn(argv, { env: { ...service.env, HOME: home } })), asked: service.asked }
}

function modelsAsked(asked: readonly Asked[]): unknown[] {
  return asked
    .filter(({ path }) => !path.endsWith('/models'))
    .map(({ json: body }) => (body as { model: string }).model)
}

const gone = 'hf:zai-org/GLM-4.6'

test('the hint names available models, most similar first, and the alias', async () => {
  const { code, out, err, asked } = await ask(['chat', '-m', gone, 'hi'])
  expect({ code, out }).toEqual({ code: 4, out: '' })
  expect(err).toBe(
    `syn: The model ${gone} is gone (404 Not Found)\n` +
      'hint: the model may have been rotated out; available: hf:zai-org/GLM-4.7, hf:zai-org/GLM-4.7-Flash. ' +
      'Use -m syn:large:text, or --fallback to switch automatically\n',
  )
  expect(modelsAsked(asked)).toEqual([gone])
})

test('with an image it is the vision alias', async () => {
  const { err } = await ask(['chat', '-m', gone, '-i', 'https://example.com/a.png', 'hi'])
  expect(err).toContain('Use -m syn:large:vision')
})

test('with nothing near, the hint names the alias only', async () => {
  const { err } = await ask(['chat', '-m', gone, 'hi'], { data: [{ id: 'hf:x/y' }] })
  expect(err).toContain('hint: the model may have been rotated out. Use -m syn:large:text')
})

describe('--fallback', () => {
  test('uses the alias once, with a notice', async () => {
    const { code, out, err, asked } = await ask(['chat', '--fallback', '-m', gone, 'hi'])
    expect({ code, out }).toEqual({ code: 0, out: 'Hello\n' })
    expect(err).toBe(`syn: The model ${gone} is gone (404 Not Found); using syn:large:text instead of ${gone}\n`)
    expect(modelsAsked(asked)).toEqual([gone, 'syn:large:text'])
  })

  test('may be a setting, which --no-fallback overrides', async () => {
    const home = emptyFolder()
    await using service = await startService((asked, response) => {
      const isAlias = (asked.json as { model?: string } | undefined)?.model?.startsWith('syn:')
      return (isAlias ? events(chatAnswer(['Hello'])) : json({ error: 'No such model' }, 404))(asked, response)
    })
    const options = { env: { ...service.env, HOME: home } }
    expect((await runSyn(['config', 'set', 'fallback', 'true'], options)).code).toBe(0)
    expect((await runSyn(['chat', '-m', gone, 'hi'], options)).out).toBe('Hello\n')
    expect((await runSyn(['chat', '--no-fallback', '-m', gone, 'hi'], options)).code).toBe(4)
  })

  test('a conversation goes on with the alias that answered', async () => {
    const home = emptyFolder()
    const first = await ask(['chat', '--save', '--fallback', '-m', gone, 'hi'], listed, home)
    expect(modelsAsked(first.asked)).toEqual([gone, 'syn:large:text'])
    const { code, asked } = await ask(['chat', '-c', 'and?'], listed, home)
    expect({ code, asked: modelsAsked(asked) }).toEqual({ code: 0, asked: ['syn:large:text'] })
    expect((await ask(['sessions', 'show', '--json'], listed, home)).out).not.toContain(gone)
  })
})

describe('the list still has the model', () => {
  const answers =
    (rows: object[], words: string): Parameters<typeof startService>[0] =>
    (asked, response) => {
      const { model } = (asked.json ?? {}) as { model?: string }
      if (asked.method === 'GET') return json({ data: rows })(asked, response)
      if (model === 'syn:large:text') return events(chatAnswer(['Hello']))(asked, response)
      return json({ error: words }, 404)(asked, response)
    }
  const rows = [{ id: 'hf:a/b' }, { id: 'hf:a/b2' }, { id: 'syn:large:text' }]

  test.each(['The model hf:a/b was rotated out', 'No such model'])('%j is about it all the same', async (words) => {
    await using service = await startService(answers(rows, words))
    const options = { env: service.env }
    expect(await runSyn(['chat', '-m', 'hf:a/b', 'hi'], options)).toEqual({
      code: 4,
      out: '',
      err:
        `syn: ${words} (404 Not Found)\n` +
        'hint: the service lists hf:a/b, but does not serve it now, or not with this key; available: hf:a/b2. ' +
        'Use -m syn:large:text, or --fallback to switch automatically\n',
    })
    expect(await runSyn(['chat', '--fallback', '-m', 'hf:a/b', 'hi'], options)).toMatchObject({
      code: 0,
      out: 'Hello\n',
    })
    for (const argv of [['count-tokens'], ['embed']]) {
      const { code, err } = await runSyn([...argv, '-m', 'hf:a/b', 'hi'], options)
      expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('the service lists hf:a/b, but does') })
    }
  })
})
