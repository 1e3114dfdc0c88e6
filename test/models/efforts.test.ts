/** `--reasoning-effort`: what the model's row in the list says, asked for if need be. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/io/json/json.ts'
import { liveReply } from '../helpers/fixtures.ts'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, type Answer } from '../helpers/service.ts'

const large = 'syn:large:text'
const vision = 'hf:acme/Vision-3'
const refusal = "Error from inference backend: 400 thinking_effort must be one of ['high', 'low', 'max']"

interface Asking {
  /** The lists of the service, one after the other; none for a service without one. */
  readonly lists?: readonly JsonObject[]
  readonly home?: string
  readonly chat?: Answer
}

/** @returns also the paths asked for, without their prefix, and the effort sent. */
async function ask(argv: string[], { lists = [liveReply('models')], home = emptyFolder(), chat }: Asking = {}) {
  let listed = 0
  await using service = await startService((asked, response) => {
    if (!asked.path.endsWith('/models')) return (chat ?? events(chatAnswer(['Hello'])))(asked, response)
    const list = lists[Math.min(listed++, lists.length - 1)]
    return (list ? json(list) : json({ error: 'none' }, 404))(asked, response)
  })
  const outcome: Outcome = await runSyn([...argv, 'hi'], { env: { ...service.env, HOME: home } })
  const paths = service.asked.map(({ path }) => path.replace(/^.*v1\//, ''))
  const effort = (service.asked.at(-1)?.json as JsonObject | undefined)?.['reasoning_effort']
  return { ...outcome, paths, effort }
}

const effortOf = (model: string, effort: string): string[] => ['chat', '-m', model, '--reasoning-effort', effort]

describe('with the list of the service', () => {
  test.each<[model: string, effort: string, paths: string[]]>([
    // One of the three of the specification passes without a list.
    [large, 'low', ['chat/completions']],
    [large, 'max', ['models', 'chat/completions']],
  ])('%s %s is sent', async (model, effort, paths) => {
    const { code, ...others } = await ask(effortOf(model, effort))
    expect({ code, paths: others.paths, effort: others.effort }).toEqual({ code: 0, paths, effort })
  })

  test.each<[model: string, effort: string, expected: string]>([
    [large, 'turbo', 'none, low, high, xhigh or max for syn:large:text'],
    [vision, 'xhigh', 'low, high or max for hf:acme/Vision-3 (did you mean high?)'],
    // Without efforts in the list, those of the specification.
    ['hf:acme/Other', 'max', 'low, medium or high for hf:acme/Other'],
  ])('%s %s is refused', async (model, effort, expected) => {
    const { code, out, err, paths } = await ask(effortOf(model, effort))
    expect({ code, out, paths }).toEqual({ code: 2, out: '', paths: ['models'] })
    expect(err).toBe(
      `syn: --reasoning-effort: "${effort}" is not accepted; expected ${expected}\n` +
        `hint: use -p reasoning_effort=${effort} to send it unchecked\n`,
    )
  })
})

describe('with a stored list', () => {
  const withEfforts = (...efforts: string[]): JsonObject => ({
    data: [{ id: large, reasoning_parameters: { efforts } }],
  })

  test.each<[effort: string, lists: JsonObject[], code: number, paths: string[]]>([
    ['max', [withEfforts('low', 'max')], 0, ['chat/completions']],
    // The model is newer than the list.
    ['max', [withEfforts('low'), withEfforts('low', 'max')], 0, ['models', 'chat/completions']],
    ['medium', [withEfforts('low', 'high'), withEfforts('medium')], 0, ['models', 'chat/completions']],
  ])('%s of %j: exit %i', async (effort, lists, code, paths) => {
    const home = emptyFolder()
    let listed = 0
    await using service = await startService((asked, response) => {
      const list = lists[Math.min(listed++, lists.length - 1)] ?? {}
      return (asked.path.endsWith('/models') ? json(list) : events(chatAnswer(['Hello'])))(asked, response)
    })
    const env = { ...service.env, HOME: home }
    await runSyn(['models', '--ids'], { env })
    const outcome = await runSyn([...effortOf(large, effort), 'hi'], { env })
    expect({
      code: outcome.code,
      paths: service.asked.slice(1).map(({ path }) => path.replace(/^.*v1\//, '')),
    }).toEqual({
      code,
      paths,
    })
  })
})

describe('the value is sent as it is', () => {
  test('without a list', async () => {
    const { code, effort, paths } = await ask(effortOf(large, 'max'), { lists: [] })
    expect({ code, effort, paths }).toEqual({ code: 0, effort: 'max', paths: ['models', 'chat/completions'] })
  })

  test('with --dry-run, which asks for no list', async () => {
    const { code, out, paths } = await ask([...effortOf(large, 'turbo'), '--dry-run'])
    expect({ code, paths }).toEqual({ code: 0, paths: [] })
    expect(out).toContain('turbo')
  })
})

test('a refusal of the service has a hint with the values', async () => {
  const chat = json({ error: refusal }, 400)
  const { code, err } = await ask(['chat', '-m', vision, '-p', 'reasoning_effort=medium'], { chat })
  expect({ code, err }).toEqual({
    code: 1,
    err: `syn: ${refusal} (400 Bad Request)\nhint: hf:acme/Vision-3 takes low, high, max\n`,
  })
})

test('a batch asks once, before it sends anything', async () => {
  const { code, out, err, paths } = await ask(['batch', '--lines', '-m', vision, '--reasoning-effort', 'xhigh'])
  expect({ code, out, paths: [...new Set(paths)] }).toEqual({ code: 2, out: '', paths: ['models'] })
  expect(err).toContain('expected low, high or max for hf:acme/Vision-3')
})
