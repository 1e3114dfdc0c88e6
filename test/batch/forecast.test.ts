/** What a run may cost: as was expected before it, after 20 answers, and at its end. */

import { describe, expect, test } from 'vitest'
import { BatchProgram } from '../helpers/batch-program.ts'
import { answerPrice, type AskedRow, promptPrice, startPaidService, type Usage } from '../helpers/paid-service.ts'
import { type Outcome, runSyn } from '../helpers/run-syn.ts'
import { seededRandom } from '../helpers/seed.ts'
import { json } from '../helpers/service.ts'
import { countedRows } from '../helpers/token-counts.ts'

const model = ['-m', 'hf:a/one'] as const

/** A template of the chat puts about as many around a message. */
const tokensAround = 5

const refused = json({ error: 'Invalid API key' }, 401)

/** The last state of `--progress jsonl`. */
function lastState({ err }: Outcome): { cost: number; expected_cost: number; done: number } {
  const line = err.split('\n').findLast((one) => one.startsWith('{'))
  return JSON.parse(line ?? '{}') as ReturnType<typeof lastState>
}

/** `about 1.2k tokens of prompts, $0.25`: these numbers. */
function planned({ err }: Outcome): { tokens: number; cost: number } {
  const [, number, thousand, cost] = /about ([\d.]+)(k?) tokens of prompts, \$([\d.,]+)/.exec(err) ?? []
  return { tokens: Number(number) * (thousand === 'k' ? 1000 : 1), cost: Number(cost?.replaceAll(',', '')) }
}

/** How far a number is from what it should be. */
function deviation(number: number, expected: number): number {
  return Math.abs(number / expected - 1)
}

describe.each(['reviews', 'files'] as const)('%s', (kind) => {
  const rows = [...countedRows[kind], ...countedRows[kind], ...countedRows[kind]]
  const random = seededRandom()
  /** Answers differ in length by a factor of four. */
  const usageOf = ({ text }: AskedRow): Usage => ({
    prompt: (rows.find((row) => row.text.trim() === text.trim())?.tokens ?? NaN) + tokensAround,
    completion: Math.round(40 + 120 * random()),
  })

  test('the prompts are within 15 % before the run, and the total within 20 % after 20 answers', async () => {
    let stopsAt = 20
    const sums = { prompt: 0 }
    await using service = await startPaidService((row) => {
      if (row.before >= stopsAt) return refused
      const usage = usageOf(row)
      sums.prompt += usage.prompt
      return usage
    })
    const lines = rows.map(({ text }) => JSON.stringify({ prompt: text }))
    const batch = new BatchProgram(service, lines)
    const argv = [batch.input, ...model, '-o', batch.output, '--jobs', '1', '--progress', 'jsonl']
    await batch.run(['--dry-run', ...argv])
    const stopped = await batch.run(argv)
    expect(stopped).toMatchObject({ code: 3 })
    const { cost, expected_cost: expected } = lastState(stopped)
    expect(cost).toBeCloseTo(service.spent, 6)
    stopsAt = Infinity
    const { code, err } = await batch.run(argv)
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(err).toMatch(/; answers about \$/)
    expect(service.spent).toBeCloseTo(cost + lastState({ code, err, out: '' }).cost, 6)
    const { tokens, cost: ofPrompts } = planned(stopped)
    expect(deviation(tokens, sums.prompt)).toBeLessThan(0.15)
    expect(deviation(ofPrompts, sums.prompt * promptPrice)).toBeLessThan(0.15)
    expect(deviation(expected, service.spent)).toBeLessThan(0.2)
  })
})

const usage: Usage = { prompt: 10, completion: 20 }

test('the first line, that of --dry-run, the summary and the status', async () => {
  await using service = await startPaidService(() => usage)
  const batch = new BatchProgram(service, ['one two three', 'four five six'])
  const argv = [...model, '--max-tokens', '100']
  // The prices are not asked for.
  const unknown = await batch.file(...argv, '--dry-run')
  expect(unknown.err).toContain('syn: 2 requests · about 14 tokens of prompts:\n')
  expect(service.asked).toEqual([])
  const { err } = await batch.file(...argv)
  const plan = `about 14 tokens of prompts, $0.014; answers at most $${(200 * answerPrice).toFixed(2)}`
  expect(err).toContain(`syn: 2 rows to send · ${plan}\n`)
  const cost = `$${service.spent.toFixed(2)}`
  expect(err).toContain(` · 20 prompt + 40 completion tokens · ${cost} in this run · `)
  batch.write(['one two three', 'four five six', 'seven eight nine'])
  expect((await batch.file(...argv, '--restart', '--dry-run')).err).toContain(' · about 21 tokens of prompts, $0.021; ')
  const next = await batch.file(...argv)
  expect(next.err).toContain('2 of 3 rows have an answer; 1 row to send · about 7 tokens of prompts, $0.0070; ')
  const all = `$${service.spent.toFixed(2)}`
  expect(next.err).toContain(` · $0.050 in this run, ${all} in all · `)
  // Without --output.
  expect((await batch.filter(...argv)).err).toContain('syn: 3 rows to send · about 21 tokens of prompts, $0.021; ')
})

test('--dry-run --max-cost says whether the rows may cost more, with what earlier runs cost', async () => {
  await using service = await startPaidService(() => usage)
  const batch = new BatchProgram(service, ['one two three', 'four five six'])
  const gate = async (amount: string, ...argv: string[]): Promise<unknown[]> => {
    const { code, err } = await batch.file(...model, '--dry-run', '--max-cost', amount, ...argv)
    return [code, /: more than (.*)/.exec(err)?.[1], /answers.* not counted/.exec(err)?.[0]]
  }
  expect(await gate('1')).toEqual([2, undefined, undefined])
  await batch.file(...model, '--limit', '1')
  // 0.05 were spent, and a prompt of 7 tokens and an answer are left.
  expect(await gate('0.058')).toEqual([0, undefined, 'answers not counted'])
  const next = (amount: string, cost: string): string =>
    `--max-cost $${amount}: $0.050 spent, and the rows to send may cost about $${cost}`
  expect(await gate('0.0000001')).toEqual([8, next('0.0000001', '0.0070'), 'answers not counted'])
  expect(await gate('0.25', '--max-tokens', '100')).toEqual([8, next('0.25', '0.21'), undefined])
  expect(await gate('0.26', '--max-tokens', '100')).toEqual([0, undefined, undefined])
  batch.write(['{"prompt":"one two three"}', '{"prompt":"a","max_tokens":10}', '{"prompt":"b"}'])
  expect(await gate('1', '--input-format', 'jsonl')).toEqual([0, undefined, 'answers without a limit not counted'])
  const pipe = [...model, '--lines', '--dry-run', '--max-cost', '1']
  const { code, err } = await runSyn(['batch', ...pipe], { stdin: 'a', env: service.env })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('it needs a file') as string })
})

describe('what is not known is not said', () => {
  const many = Array.from({ length: 3 }, (_, row) => `prompt ${row}`)
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }

  test.each<[what: string, rows: readonly (string | object)[], flags: string[], priced: boolean, said: string]>([
    ['without --max-tokens', many, [], true, ' to send · about 18 tokens of prompts, $0.018\n'],
    ['of a model that is not listed', many, ['-m', 'hf:c/new'], true, ' to send · about 18 tokens of prompts\n'],
    [
      'of images',
      [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }] }],
      ['--input-format', 'jsonl'],
      true,
      ' to send\n',
    ],
    [
      'of embeddings',
      [{ custom_id: '1', method: 'POST', url: '/v1/embeddings', body: { input: 'Hi', model: 'hf:a/one' } }],
      ['--input-format', 'openai'],
      true,
      ' to send\n',
    ],
  ])('%s', async (_what, rows, flags, priced, said) => {
    await using service = await startPaidService(() => usage, { priced })
    const isText = flags.every((flag) => flag !== '--input-format')
    const lines = rows.map((row) =>
      isText && typeof row === 'string' ? row : JSON.stringify(typeof row === 'string' ? { prompt: row } : row),
    )
    const batch = new BatchProgram(service, lines)
    const argv = flags.includes('-m') ? flags : [...flags, ...model]
    const { err } = await batch.file(...argv)
    expect(err).toContain(said)
    if (said.endsWith('prompts\n')) expect(err).not.toMatch(/\$\d/)
  })

  test('of a pipe, which is read only once', async () => {
    await using service = await startPaidService(() => usage)
    const batch = new BatchProgram(service)
    const { code, err } = await batch.pipe('a\nb\n', '--lines', ...model)
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(err).toMatch(/^syn: 2 succeeded · .* · \$0\.10 in this run · [^\n]*\n$/)
  })
})
