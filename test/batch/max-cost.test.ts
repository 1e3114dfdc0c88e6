/** `syn batch --max-cost`: what runs with the same output cost, counted at the service. */

import { appendFileSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { encodeLine } from '../../src/batch/answers/line.ts'
import { InterruptedError } from '../../src/errors.ts'
import { leapingNow } from '../helpers/clock.ts'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { answerPrice, promptPrice, startPaidService, type Usage } from '../helpers/paid-service.ts'
import { isRecord } from '../helpers/recorded-run.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { seed, seededRandom } from '../helpers/seed.ts'
import { type Answer, json } from '../helpers/service.ts'

const model = ['-m', 'hf:a/one'] as const

/** An answer for ten cents, to a prompt that has as many tokens as is expected. */
const usage: Usage = { prompt: 6, completion: 47 }
const dime = 6 * promptPrice + 47 * answerPrice

const stopped = { code: 8, err: expect.stringContaining('stopped at --max-cost $') as string }

describe('the amount', () => {
  test.each(['0', '$-1', '1,5', '1e3', ''])('is refused: %j', async (amount) => {
    const { code, err } = await runSyn(['batch', `--max-cost=${amount}`, ...model], { stdin: '{"prompt":"a"}' })
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('--max-cost') as string })
    expect(err).toContain('such as 0.50 or $1')
  })

  test.each([
    ['$1', 10],
    ['.5', 5],
  ])('is taken: %s', async (amount, answers) => {
    await using service = await startPaidService(() => usage)
    const batch = new BatchProgram(service, prompts(12))
    expect(await batch.file(...model, '--jobs', '1', '--max-cost', amount)).toMatchObject(stopped)
    // The last one that fits may seem to cost a little more.
    expect([answers - 1, answers]).toContain(service.rows)
    expect(service.spent).toBeLessThanOrEqual(Number(amount.replace('$', '')) + 1e-9)
  })
})

test.each([
  ['without prices', ['hf:a/one'], false],
  ['of one row', ['hf:a/one', 'hf:c/new'], true],
] as const)('a price that is not known, %s, is an error before anything is sent', async (_what, models, priced) => {
  await using service = await startPaidService(() => usage, { priced })
  const rows = models.map((name) => JSON.stringify({ prompt: 'a', model: name }))
  const batch = new BatchProgram(service, rows)
  const argv = ['--input-format', 'jsonl', '--max-cost', '1']
  const name = models.at(-1)
  const refused = { code: 2, err: `syn: --max-cost: the model list has no price for ${name}\n` }
  expect(await batch.file(...argv)).toMatchObject(refused)
  expect(await batch.filter(...argv)).toMatchObject(refused)
  expect(service.rows).toBe(0)
  expect(batch.exists('out.jsonl.answers')).toBe(false)
})

test('it stops before the amount, says what was spent, and continues with a higher one', async () => {
  await using service = await startPaidService(() => usage)
  const batch = new BatchProgram(service, prompts(20))
  // Without an earlier answer, one is sent alone.
  const { code, err } = await batch.file(...model, '--jobs', '20', '--max-cost', '0.50')
  expect({ code, err }).toMatchObject(stopped)
  expect(service.rows).toBeLessThanOrEqual(5)
  expect(err).toMatch(/stopped at --max-cost \$0\.5: \$0\.\d+ spent, and the next request may cost about \$0\.\d+\n/)
  expect(err).toContain('hint: use a higher --max-cost to continue')
  // The amount is that of all runs.
  const sent = service.rows
  expect(await batch.file(...model, '--max-cost', '0.50')).toMatchObject(stopped)
  expect(service.rows).toBe(sent)
  expect(await batch.file(...model, '--max-cost', '1.25')).toMatchObject(stopped)
  expect(service.rows).toBeLessThanOrEqual(12)
  expect(await batch.file(...model, '--max-cost', '$3')).toMatchObject({ code: 0 })
  expect(service.rows).toBe(20)
})

test.each([1, 20])('with %d jobs, an amount that is known from earlier answers is not exceeded', async (jobs) => {
  await using service = await startPaidService(() => usage)
  const batch = new BatchProgram(service, prompts(30))
  await batch.file(...model, '--limit', '3')
  expect(await batch.file(...model, '--jobs', String(jobs), '--max-cost', '0.85')).toMatchObject(stopped)
  expect(service.spent).toBeLessThanOrEqual(0.85 + 1e-9)
  expect(service.spent).toBeGreaterThan(0.6)
})

describe.each([1, 3, 8, 20])('answers of differing length, with %d jobs,', (jobs) => {
  const longest = 200
  const argv = [...model, '--jobs', String(jobs), '--max-cost', '5']

  test('cost no more than the amount with a token limit', async () => {
    const random = seededRandom(seed + jobs)
    await using service = await startPaidService(() => ({ prompt: 6, completion: Math.ceil(random() * longest) }))
    const batch = new BatchProgram(service, prompts(100))
    expect(await batch.file(...argv, '--max-tokens', String(longest))).toMatchObject(stopped)
    expect(service.spent).toBeLessThanOrEqual(5 + 1e-9)
    expect(service.spent).toBeGreaterThan(4)
  })

  test.each([0, 4, 15, 30])('exceed it only by those in flight, and answer %d by its length', async (outlier) => {
    const random = seededRandom(seed + outlier)
    await using service = await startPaidService(({ before }) => ({
      prompt: 6,
      completion: before === outlier ? 30_000 : Math.ceil(random() * longest),
    }))
    const batch = new BatchProgram(service, prompts(100))
    expect(await batch.file(...argv)).toMatchObject(stopped)
    const most = service.rows > outlier ? 30_000 * answerPrice : 0
    expect(service.spent).toBeLessThanOrEqual(5 + most + (jobs === 1 ? 1 : jobs - 1) * longest * answerPrice)
    expect(service.rows).toBeLessThanOrEqual(outlier + jobs + 40)
  })
})

// The fault leaves what SIGKILL does.
test('a run that ends three times at once costs what was in flight more', async () => {
  const jobs = 6
  let [killAt, kill] = [0, (): void => undefined]
  await using service = await startPaidService(({ before }) => {
    if (before === killAt) kill()
    return usage
  })
  const batch = new BatchProgram(service, prompts(200))
  const argv = [batch.input, '-o', batch.output, ...model, '--jobs', String(jobs), '--max-cost', '$4']
  for (let run = 1; run <= 3; run++) {
    killAt = service.rows + 3 * run
    const controller = new AbortController()
    kill = () => controller.abort(new InterruptedError(15))
    expect(await batch.run(argv, { signal: controller.signal })).toMatchObject({ code: 143 })
  }
  const { spent } = service
  killAt = Infinity
  expect(await batch.run(argv)).toMatchObject(stopped)
  const recorded = readFileSync(`${batch.output}.answers`, 'utf8').split('\n').filter(isRecord).length
  expect(service.rows - recorded).toBeLessThanOrEqual(3 * jobs)
  expect(recorded * dime).toBeLessThanOrEqual(4 + 1e-9)
  expect(recorded * dime).toBeGreaterThan(3.5)
  expect(service.spent).toBeGreaterThan(spent)
})

test('what fails costs nothing, and takes no place of what is sent', async () => {
  const failure = json({ error: 'down' }, 500)
  const failed = new Set<string>()
  const waiting: (() => void)[] = []
  await using service = await startPaidService(
    ({ text }) => {
      if (text.startsWith('bad') && !failed.has(text)) {
        failed.add(text)
        return failure
      }
      return usage
    },
    {
      /** Answers the good ones when twenty are in flight. */
      until: async (text) => {
        if (!text.startsWith('good')) return
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          if (waiting.length === 20) for (const go of waiting.splice(0)) go()
        })
      },
    },
  )
  const bad = Array.from({ length: 20 }, (_, row) => `bad ${row}`)
  const good = Array.from({ length: 40 }, (_, row) => `good ${row}`)
  const batch = new BatchProgram(service, ['first', ...bad, ...good])
  // The first 20 would take another 2 dollars.
  const argv = [batch.input, '-o', batch.output, ...model, '--jobs', '20', '--max-cost', '7']
  const { code, err } = await batch.run(argv, { now: leapingNow() })
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(service.spent).toBeCloseTo(61 * dime, 6)
})

describe('what counts', () => {
  test.each([
    ['without usage', undefined],
    ['whose usage is zero', { prompt: 0, completion: 0 }],
  ])('an answer %s, as it was estimated, in the next run too', async (_what, none) => {
    await using service = await startPaidService(() => none)
    const batch = new BatchProgram(service, prompts(20))
    const argv = [...model, '--jobs', '4', '--max-tokens', '50', '--max-cost', '0.50']
    for (let run = 0; run < 2; run++) expect(await batch.file(...argv)).toMatchObject(stopped)
    expect(service.rows).toBe(4)
  })

  test('a reply that is lost before its answer, or after reasoning', async () => {
    const lost: Answer = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      response.destroy()
    }
    const reasoning = { choices: [{ index: 0, delta: { reasoning_content: 'So' } }] }
    const thought: Answer = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(reasoning)}\n\ndata: {"error":{"code":503,"message":"overloaded"}}\n\n`)
    }
    await using thinking = await startPaidService(() => thought)
    const thoughts = new BatchProgram(thinking, prompts(20))
    const few = [thoughts.input, '-o', thoughts.output, ...model, '--max-tokens', '47', '--max-cost', '0.35']
    expect(await thoughts.run(few, { now: leapingNow() })).toMatchObject(stopped)
    expect(thinking.rows).toBe(3)
    await using service = await startPaidService(() => lost)
    const batch = new BatchProgram(service, prompts(20))
    const limits = [...model, '--max-tokens', '47', '--max-cost', '0.35']
    expect(await batch.run([batch.input, '-o', batch.output, ...limits], { now: leapingNow() })).toMatchObject(stopped)
    expect(service.rows).toBe(3)
    const chat = await runSyn(['chat', ...limits, 'Hi'], { env: service.env, now: leapingNow() })
    expect(chat).toMatchObject(stopped)
    expect(service.rows).toBe(6)
  })

  test('a model of --fallback without a price: nothing is sent', async () => {
    await using service = await startPaidService(() => usage)
    const batch = new BatchProgram(service, prompts(2))
    const outcome = await batch.file(...model, '--max-cost', '1', '--fallback=hf:x/none')
    expect(outcome).toMatchObject({ code: 2, err: expect.stringContaining('no price for hf:x/none') as string })
    expect(service.rows).toBe(0)
  })

  test('rows of a pipe', async () => {
    await using service = await startPaidService(() => usage)
    const batch = new BatchProgram(service)
    const argv = ['--lines', ...model, '--jobs', '2', '--max-cost', '0.50']
    expect(await batch.pipe(prompts(20).join('\n'), ...argv)).toMatchObject(stopped)
    expect(service.rows).toBeGreaterThan(2)
    expect(service.spent).toBeLessThanOrEqual(0.5)
  })

  test('answers before --restart, once', async () => {
    await using service = await startPaidService(() => usage)
    const batch = new BatchProgram(service, prompts(5))
    expect((await batch.file(...model)).err).toContain(' · $0.50 in this run · ')
    const restarted = await batch.file(...model, '--restart')
    expect(restarted.err).toContain(' · $0.50 in this run, $1.00 in all · ')
    batch.write(prompts(2))
    expect(await batch.file(...model, '--restart', '--max-cost', '1.05')).toMatchObject(stopped)
    batch.write(prompts(7))
    expect(await batch.file(...model, '--max-cost', '1.05')).toMatchObject(stopped)
    expect(service.rows).toBe(10)
    const last = await batch.file(...model, '--max-cost', '1.25')
    expect(last.err).toContain(' · $0.20 in this run, $1.20 in all · ')
    expect(service.rows).toBe(12)
  })

  test('answers that an older version left out of the store', async () => {
    await using service = await startPaidService(() => usage)
    const batch = new BatchProgram(service, prompts(1))
    expect((await batch.file(...model)).err).toContain(' · $0.10 in this run · ')
    const spent = [{ names: ['hf:a/one'], usage: { prompt_tokens: 60, completion_tokens: 470 }, count: 10 }]
    appendFileSync(batch.path('out.jsonl.answers'), encodeLine({ spent }))
    batch.write(prompts(2))
    expect((await batch.file(...model)).err).toContain(' · $0.10 in this run, $1.20 in all · ')
  })
})
