/** Runs that are killed at random moments lose no result, and pay twice only for what was in flight. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from '../../src/io/time/timer.ts'
import { startBatchService, type BatchService } from '../helpers/batch-service.ts'
import { type Ended, environment, quoted, start, startSyn, synCommand } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { seededRandom } from '../helpers/seed.ts'

const rows = 800
const runs = 12
const killsPerRun = 3
/** Of `--jobs auto`. */
const maxJobs = 64

const random = seededRandom()
const below = (end: number): number => Math.floor(random() * end)

const folder = emptyFolder()
const input = join(folder, 'in.txt')
/** In a file, as GNU parallel replaces `{.}` in a command. */
const template = join(folder, 'prompt.md')
const whole = join(folder, 'whole.jsonl')

/** Answers that were paid for and not recorded, by kill. */
const lostByKill: number[] = []

beforeAll(async () => {
  // Some rows are equal, and so are their requests.
  const rowText = (row: number): string =>
    `Review ${row % 10 === 0 ? 0 : row}: it works well, and I would buy it again.\n`
  writeFileSync(input, Array.from({ length: rows }, (_, row) => rowText(row)).join(''))
  writeFileSync(template, 'Summarize: {{.}}')
  await using service = await startService()
  const { code, err } = await startSyn(argvFor(whole), environment(service)).ended
  if (code !== 0) throw new Error(err)
})

afterAll(() => {
  process.stderr.write(`answers lost by each kill: ${lostByKill.join(' ')}\n`)
})

/** Answers come in another order than the requests; a few fail, and are sent again. */
function startService(): Promise<BatchService> {
  return startBatchService({ latency: [0, 20], failing: 0.002 })
}

function argvFor(output: string): string[] {
  return ['batch', '--lines', input, '-t', `@${template}`, '-o', output]
}

/** Files that exist while a run puts the results into order, or opens finished ones again. */
const passing = ['partial-output', 'partial-identity', 'partial-journal'] as const

/** When a run is killed: after so many requests, or when such a file is there; and milliseconds later. */
interface Kill {
  readonly after: number | (typeof passing)[number]
  readonly delay: number
}

function randomKill(): Kill {
  const kind = below(10)
  if (kind === 0) return { after: 0, delay: below(500) }
  const file = passing[kind - 1]
  return { after: file ?? below(rows / killsPerRun), delay: below(file === undefined ? 20 : 5) }
}

test(`${runs} runs, each killed ${killsPerRun} times`, async () => {
  const plans = Array.from({ length: runs }, () => Array.from({ length: killsPerRun }, randomKill))
  // At the same time, as each spends most of it waiting for the lock of the run that was killed.
  await Promise.all(plans.map((kills, run) => killedRun(kills, join(folder, `out-${run}.jsonl`), run % 2 === 0)))
})

/** @param isAdded Whether the rows are added to finished results of some. */
async function killedRun(kills: readonly Kill[], output: string, isAdded: boolean): Promise<void> {
  await using service = await startService()
  if (isAdded) {
    const first = await startSyn([...argvFor(output), '--sample', String(rows / 4)], environment(service)).ended
    expect(first).toMatchObject({ code: 0 })
  }
  const where = `${basename(output)}, killed after ${JSON.stringify(kills)}`
  let lost = 0
  let [lastLost, wasKilled] = [0, false]
  for (const kill of [...kills, undefined]) {
    const { ended, open } = await runUntil(kill, service, output)
    const stated = statedLoss(ended)
    // A run that was killed very early has not said it.
    if (stated !== undefined || !kill) expect(stated ?? 0, where).toBeGreaterThanOrEqual(wasKilled ? lastLost : 0)
    const { answered } = await service.counts()
    lastLost = answered - recorded(output) - lost
    lost += lastLost
    wasKilled = ended.signal !== null
    if (wasKilled) lostByKill.push(lastLost)
    expect(lastLost, where).toBeGreaterThanOrEqual(0)
    expect(lastLost, where).toBeLessThanOrEqual(wasKilled ? Math.min(open, maxJobs) : 0)
    if (!wasKilled) expect(ended, where).toMatchObject({ code: 0 })
  }
  expect((await service.counts()).answered, where).toBe(rows + lost)
  expectWhole(output)
}

interface Killed {
  readonly ended: Ended
  /** The connections that were open at its end: each can have had one request in flight. */
  readonly open: number
}

/** Starts or continues a run, and kills it, unless it ends before. */
async function runUntil(kill: Kill | undefined, service: BatchService, output: string): Promise<Killed> {
  const { statuses } = await service.counts()
  const asked = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const run = startSyn(argvFor(output), environment(service))
  if (kill) {
    const { after, delay } = kill
    const reached =
      typeof after === 'string' ? exists(`${output}.${after}`, run.ended) : service.untilAsked(asked + after)
    await Promise.race([reached.then(() => pause(delay)), run.ended])
  } else await run.ended
  const { closedConnections } = await service.counts()
  run.child.kill('SIGKILL')
  const ended = await run.ended
  while ((await service.counts()).connections > 0) await pause(1)
  return { ended, open: (await service.counts()).closedConnections - closedConnections }
}

/** Resolves when the file exists, or the program has ended. */
async function exists(path: string, ended: Promise<Ended>): Promise<void> {
  const waiting = new AbortController()
  void ended.then(() => waiting.abort())
  while (!existsSync(path) && !waiting.signal.aborted) await pause(1)
}

/** How many requests a continued run says the last one may have lost. */
function statedLoss({ err }: Ended): number | undefined {
  const [, count] = /the last run was killed: up to (\d+) requests?/.exec(err) ?? []
  return count === undefined ? undefined : Number(count)
}

/** The number of answers in a journal, or in the results. A line that is torn is none. */
function recorded(output: string): number {
  const journal = `${output}.partial`
  const path = existsSync(journal) ? journal : output
  if (!existsSync(path)) return 0
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  // In a journal with rows of finished results, the quotes of these are escaped.
  return lines.filter((line) => /status_code\\?":200/.test(line)).length
}

/** @param others The files beside it whose names begin alike. */
function expectWhole(output: string, others = [`${basename(output)}.identity`]): void {
  expect(readFileSync(output, 'utf8')).toBe(readFileSync(whole, 'utf8'))
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n')
  const ids = lines.map((line) => (JSON.parse(line) as { custom_id: string }).custom_id)
  expect(ids).toEqual(Array.from({ length: rows }, (_, row) => `line-${row + 1}`))
  const beside = readdirSync(folder).filter((name) => name.startsWith(`${basename(output)}.`))
  expect(beside).toEqual(others)
}

test('four shards under GNU parallel, one of them killed', async () => {
  const jobs = 8
  const delay = below(20)
  // Before any of them can have ended.
  const after = below(rows / 8)
  await using service = await startService()
  const out = join(folder, 'shard-{}.jsonl')
  const syn = `echo $$ > ${quoted(join(folder, 'pid-{}'))}; exec ${synCommand} batch --lines ${quoted(input)}`
  const shard = `${syn} -t ${quoted(`@${template}`)} --jobs ${jobs} --shard {}/4 -o ${quoted(out)}`
  const log = join(folder, 'joblog')
  const parallel = (...options: string[]): Promise<Ended> =>
    start(
      'parallel',
      // Without its notice about citations.
      ['--will-cite', '--jobs', '4', '--joblog', log, ...options, shard, ':::', '1', '2', '3', '4'],
      environment(service),
    ).ended
  const first = parallel()
  await Promise.race([service.untilAsked(after).then(() => pause(delay)), first])
  const killed = 1 + below(4)
  const pidFile = join(folder, `pid-${killed}`)
  while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await pause(1)
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
  expect((await first).code, `shard ${killed}, after ${after} requests`).toBe(1)
  expect(await parallel('--resume-failed')).toMatchObject({ code: 0 })
  const lost = (await service.counts()).answered - rows
  lostByKill.push(lost)
  expect(lost).toBeGreaterThanOrEqual(0)
  expect(lost).toBeLessThanOrEqual(jobs)
  const shards = [1, 2, 3, 4].map((one) => out.replace('{}', `${one}`))
  const all = join(folder, 'all.jsonl')
  const merged = await startSyn(['batch', 'merge', input, ...shards, '-o', all], environment(service)).ended
  expect(merged).toMatchObject({
    code: 0,
    err: expect.stringContaining(`${rows} rows, each with one result`) as string,
  })
  expectWhole(all, [])
})
