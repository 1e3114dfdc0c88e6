/** `--cost`: the price of the prompt; `--max-cost`: exit status 8 above it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from '../../helpers/run-syn.ts'
import { samples } from '../../helpers/samples.ts'
import { json, startService, type Answer } from '../../helpers/service.ts'

const listed = json({
  data: [
    { id: 'hf:org/large', pricing: { prompt: '$0.00000055', completion: '$0.00000219' } },
    { id: 'syn:large:text', hugging_face_id: 'org/large' },
    { id: 'syn:small:text', pricing: { prompt: 0.0000001, completion: 0.0000004 } },
    { id: 'hf:org/dear', pricing: { prompt: '0.001', completion: '0.002' } },
    { id: 'hf:org/free', pricing: { prompt: '0', completion: '0' } },
    { id: 'hf:org/silent' },
  ],
})

const tokensOf: Readonly<Record<string, number>> = { 'syn:large:text': 1234, 'hf:org/dear': 1200 }

interface Counted extends Outcome {
  /** The models of the requests that count. */
  models: string[]
}

/** @param options `tokens`: the count of each request (default: by model, else 1000). */
async function ask(
  argv: string[],
  { models = listed, tokens, ...options }: RunOptions & { models?: Answer; tokens?: number | undefined } = {},
): Promise<Counted> {
  await using service = await startService((asked, response) => {
    if (asked.method === 'GET') return models(asked, response)
    const { model } = asked.json as { model: string }
    return json({ input_tokens: tokens ?? tokensOf[model] ?? 1000 })(asked, response)
  })
  const outcome = await runSyn(['count-tokens', ...argv], { ...options, env: { ...service.env, ...options.env } })
  const counts = service.asked.filter(({ method }) => method === 'POST')
  return { ...outcome, models: counts.map((asked) => (asked.json as { model: string }).model) }
}

/** `a b` → `-m a -m b` */
function of(names: string): string[] {
  return names.split(' ').flatMap((name) => ['-m', name])
}

/** The cost of tokens, in digits. @param units The price of one, in 1e-9 dollars. */
function costOf(tokens: number, units: number): string {
  const digits = String(BigInt(tokens) * BigInt(units)).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}

const unknown = (model: string): string => `syn: the price of ${model} is unknown\n`

test.each<[argv: string[], out: string, err: string]>([
  [[], '1234\t0.0006787\tsyn:large:text\n', ''],
  [of('hf:org/free'), '1000\t0.00\thf:org/free\n', ''],
  [of('hf:org/silent'), '1000\t\thf:org/silent\n', unknown('hf:org/silent')],
  [of('hf:org/dear syn:small:text'), '1000\t0.0001\tsyn:small:text\n', ''],
])('in a pipe: tokens, price and model, tab-separated: %j', async (argv, out, err) => {
  expect(await ask(['--cost', ...argv, 'hi'])).toMatchObject({ code: 0, out, err })
})

test.each<[models: string, tokens: number | undefined, out: string]>([
  ['syn:large:text', 1, '1 token · $0.00000055 (syn:large:text)\n'],
  ['hf:org/silent', undefined, '1,000 tokens · - (hf:org/silent)\n'],
  ['hf:org/dear', undefined, '1,200 tokens · $1.20 (hf:org/dear)\n'],
])('on a terminal: %s: %s tokens', async (models, tokens, out) => {
  expect(await ask(['--cost', ...of(models), 'hi'], { tokens, isTerminal: true })).toMatchObject({ code: 0, out })
})

describe('of several files', () => {
  const folder = emptyFolder()
  const paths = ['a.txt', 'b\u001b.txt'].map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, 'text\n')
  const argv = ['--cost', ...paths.flatMap((path) => ['-f', path]), ...of('syn:large:text')]

  test('each has its price, and so has the total', async () => {
    const { out, models } = await ask(argv)
    expect(out.replaceAll(folder, 'FOLDER').split('\n')).toEqual([
      '1234\t0.0006787\tsyn:large:text\tFOLDER/a.txt',
      '1234\t0.0006787\tsyn:large:text\tFOLDER/b\u001b.txt',
      '2468\t0.0013574\tsyn:large:text\ttotal',
      '',
    ])
    expect(models).toEqual(['syn:large:text', 'syn:large:text'])
  })
})

test.each<[argv: string[], refusal: string]>([
  [['--cost', '--body', '{"model":["hf:org/large"]}'], '--body: $.model: ["hf:org/large"] is not accepted'],
  [['--cost', '--context'], '--context and --cost cannot be combined'],
])('is refused: %j', async (argv, refusal) => {
  const { code, out, err, models } = await ask([...argv, 'hi'])
  expect({ code, out, models }).toEqual({ code: 2, out: '', models: [] })
  expect(err).toContain(`syn: ${refusal}`)
})

describe('--max-cost', () => {
  const line = '1200\n'
  const over = (max: string): string => `syn: the prompt costs $1.20, more than --max-cost ${max}\n`
  test.each<[argv: string[], code: number, out: string, err: string]>([
    [['--max-cost', '1.20'], 0, line, ''],
    [['--max-cost', '1.1999'], 8, line, over('$1.1999')],
    [['--max-cost', '1', '--json'], 8, '{"input_tokens":1200}\n', over('$1')],
    [['--max-cost', '1', '--max', '1199'], 8, line, 'syn: 1200 tokens exceed --max 1199\n'],
  ])('%j', async (argv, code, out, err) => {
    expect(await ask([...of('hf:org/dear'), ...argv, 'hi'])).toMatchObject({ code, out, err })
  })

  test('needs a price before anything is counted', async () => {
    expect(await ask(['--cost', '--max-cost', '1', ...of('hf:org/silent'), 'hi'])).toEqual({
      code: 2,
      out: '',
      err: 'syn: --max-cost: the model list has no price for hf:org/silent\n',
      models: [],
    })
  })

  test.each([['0'], ['1,5'], ['1e3']])('%j is refused', async (amount) => {
    const { code, err, models } = await ask([`--max-cost=${amount}`, 'hi'])
    expect({ code, models }).toEqual({ code: 2, models: [] })
    expect(err).toContain('expected an amount in dollars, more than 0, such as 0.50 or $1')
  })
})

test('the price is tokens times the price of one, to the digit, and as --max-cost it is not exceeded', async () => {
  await using service = await startService((asked, response) => current(asked, response))
  let current: Answer = listed
  const row = fc.record({ tokens: fc.integer({ min: 1, max: 999_999 }), units: fc.integer({ min: 1, max: 99_999 }) })
  await fc.assert(
    fc.asyncProperty(row, async ({ tokens, units }) => {
      const price = costOf(1, units)
      const list = json({ data: [{ id: 'hf:org/a', pricing: { prompt: price, completion: price } }] })
      current = (asked, response) => (asked.method === 'GET' ? list : json({ input_tokens: tokens }))(asked, response)
      const cost = costOf(tokens, units)
      const argv = ['count-tokens', '--cost', '--max-cost', cost, '-m', 'hf:org/a', 'hi']
      const { code, out } = await runSyn(argv, { env: service.env })
      expect({ code, cost: Number(out.split('\t')[1]) }).toEqual({ code: 0, cost: Number(cost) })
    }),
    samples(30),
  )
})
