/** The setting any-model: names of models that other services use. */

import { describe, expect, test } from 'vitest'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, testKey, type Service } from '../helpers/service.ts'
import { configText, homeWithProfile, storedIn } from './stored.ts'

const listed = {
  data: [{ id: 'gpt-4o' }, { id: 'gpt-4o-mini' }, { id: 'text-embedding-3-small' }, { id: 'hf:a/b' }],
}

/** A service with names of its own. */
async function other(): Promise<Service> {
  return startService((asked, response) => {
    const { model } = (asked.json ?? {}) as { model?: string }
    const isListed = listed.data.some(({ id }) => id === model)
    if (asked.method === 'GET') return json(listed)(asked, response)
    if (!isListed) return json({ error: `The model ${model} does not exist` }, 404)(asked, response)
    if (asked.path.endsWith('/embeddings')) return json({ data: [{ index: 0, embedding: [1] }] })(asked, response)
    return events(chatAnswer(['Hello']))(asked, response)
  })
}

function homeFor(service: Service, settings: Record<string, string | boolean> = { 'any-model': true }): string {
  return homeWithProfile({ 'base-url': `${service.baseUrl}/v1`, 'api-key': testKey, ...settings })
}

function syn(home: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  return runSyn([...argv], { env: { HOME: home, ...env } })
}

const ways: readonly (readonly [argv: readonly string[], env: Record<string, string>])[] = [
  [['chat', '-m', 'gpt-4o', 'hi'], {}],
  [['chat', 'hi'], { SYN_MODEL: 'gpt-4o' }],
  [['embed', '-m', 'text-embedding-3-small', 'hi'], {}],
]

test.each(ways)('%j with %j passes with it only', async (argv, env) => {
  await using service = await other()
  expect((await syn(homeFor(service), argv, env)).code).toBe(0)
  expect(service.asked.at(-1)?.json).toMatchObject({ model: expect.stringMatching(/^(gpt|text)/) })
  service.asked.splice(0)
  for (const settings of [{}, { 'any-model': false }]) {
    const { code, err } = await syn(homeFor(service, settings), argv, env)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('a name that starts with hf:') })
    expect(err).not.toContain('any-model')
  }
  // The model list is free.
  expect(service.asked.filter(({ method }) => method === 'POST')).toEqual([])
})

test('a name of blanks does not pass', async () => {
  await using service = await other()
  const { code, err } = await syn(homeFor(service), ['chat', '-m', ' ', 'hi'])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('expected a name') })
})

describe('stored names', () => {
  test('are accepted while it is on, which cannot be turned off before', async () => {
    await using service = await other()
    const home = homeFor(service, {})
    expect((await syn(home, ['config', 'set', 'model', 'gpt-4o'])).code).toBe(2)
    expect((await syn(home, ['config', 'set', 'any-model', 'true'])).code).toBe(0)
    expect((await syn(home, ['config', 'set', 'model', 'gpt-4o'])).code).toBe(0)
    expect((await syn(home, ['chat', 'hi'])).out).toBe('Hello\n')
    for (const argv of [
      ['unset', 'any-model'],
      ['set', 'any-model', 'false'],
    ]) {
      const before = configText(home)
      expect(await syn(home, ['config', ...argv])).toEqual({
        code: 2,
        out: '',
        err: 'syn: cannot turn off any-model: model is "gpt-4o"\nhint: use syn config unset model --profile default first\n',
      })
      expect(configText(home)).toBe(before)
    }
    expect((await syn(home, ['config', 'unset', 'model'])).code).toBe(0)
    expect((await syn(home, ['config', 'unset', 'any-model'])).code).toBe(0)
    expect(storedIn(home).profiles.default).not.toHaveProperty('any-model')
  })
})

test('config list shows it only if it is set; no help names it', async () => {
  await using service = await other()
  expect((await syn(homeFor(service), ['config', 'list'])).out).toContain('any-model\ttrue\tprofile default\n')
  expect((await syn(homeFor(service, {}), ['config', 'list'])).out).not.toContain('any-model')
  expect((await syn(homeFor(service), ['config', '--help'])).out).not.toContain('any-model')
})

describe('lists without hf: names', () => {
  test('no alias is listed, and without a model the only one is asked', async () => {
    await using service = await other()
    expect((await syn(homeFor(service), ['models', '--ids'])).out).not.toContain('syn:')
    expect(await syn(homeFor(service), ['chat', 'hi'])).toEqual({
      code: 2,
      out: '',
      err:
        'syn: no model set (available: gpt-4o, gpt-4o-mini, hf:a/b)\n' +
        'hint: use -m NAME for one run, or syn config set model NAME for all\n',
    })
    await using single = await startService((asked, response) =>
      (asked.method === 'GET' ? json({ data: [{ id: 'only' }] }) : events(chatAnswer(['Hello'])))(asked, response),
    )
    expect((await syn(homeFor(single), ['chat', 'hi'])).out).toBe('Hello\n')
    expect(single.asked.at(-1)?.json).toMatchObject({ model: 'only' })
    single.asked.splice(0)
    expect((await syn(homeFor(single), ['chat', 'hi', '--dry-run'])).code).toBe(0)
    expect(single.asked.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('the hint for an unknown model names similar ones, and no alias that the service lacks', async () => {
    await using service = await other()
    const { code, err } = await syn(homeFor(service), ['chat', '-m', 'gpt-4', 'hi'])
    expect({ code, err }).toEqual({
      code: 4,
      err:
        'syn: The model gpt-4 does not exist (404 Not Found)\n' +
        'hint: the model may have been rotated out; available: gpt-4o. Use syn models to list the available models\n',
    })
    const embedding = await syn(homeFor(service), ['embed', '-m', 'text-embedding-2', 'hi'])
    expect(embedding.err).toContain('available: text-embedding-3-small\n')
  })
})
