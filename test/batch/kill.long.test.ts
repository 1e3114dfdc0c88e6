/** Runs that are killed at random moments lose no result, and pay twice only for what was in flight. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from '../../src/io/time/time.ts'
import { startBatchService, type BatchService } from '../helpers/batch-service.ts'
import { type Ended, environment, quoted, shell, start, startSyn, synCommand } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { seededRandom } from '../helpers/seed.ts'

const rows = 800
const runs = 16
const killsPerRun = 3
/** The most jobs that `--jobs auto` starts. */
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

/** What a run finds: nothing, results of some rows, or those of all, which it asks again. */
const beginnings = ['new', 'added', 'restarted'] as const

type Beginning = (typeof beginnings)[number]

/** When a run is killed: after so many requests, or when such a file of it is there; and milliseconds later. */
interface Kill {
  readonly after: number | 'partial-output'
  readonly delay: number
}

function randomKill(): Kill {
  const kind = below(10)
  if (kind === 0) return { after: 0, delay: below(500) }
  if (kind > 4) return { after: below(rows / killsPerRun), delay: below(20) }
  return { after: 'partial-output', delay: below(5) }
}

test(`${runs} runs, each killed ${killsPerRun} times`, async () => {
  const plans = Array.from({ length: runs }, (_, run) => {
    const beginning = beginnings[run % beginnings.length] ?? 'new'
    return { beginning, kills: Array.from({ length: killsPerRun }, randomKill) }
  })
  // At the same time, as each spends most of it waiting for the lock of the run that was killed.
  await Promise.all(plans.map((plan, run) => killedRun(plan, join(folder, `out-${run}.jsonl`))))
})

interface Plan {
  readonly beginning: Beginning
  readonly kills: readonly Kill[]
}

async function killedRun({ beginning, kills }: Plan, output: string): Promise<void> {
  await using service = await startService()
  const first = {
    new: undefined,
    added: ['--sample', String(rows / 4)],
    restarted: [],
  }[beginning]
  if (first) {
    expect(await startSyn([...argvFor(output), ...first], environment(service)).ended).toMatchObject({ code: 0 })
  }
  if (beginning !== 'added') await service.resetCounts()
  const where = `${basename(output)}, ${beginning}, killed after ${JSON.stringify(kills)}`
  let lost = 0
  let [lastLost, wasKilled] = [0, false]
  for (const kill of [...kills, undefined]) {
    // A restart that was killed before its first request may not have begun.
    const isAsked = Object.keys((await service.counts()).statuses).length > 0
    const options = {
      new: [],
      added: [],
      restarted: isAsked ? [] : ['--restart'],
    }[beginning]
    const { ended, open } = await runUntil(kill, service, [...argvFor(output), ...options])
    const stated = statedLoss(ended)
    // A run that was killed very early has not said it.
    if (stated !== undefined || !kill) expect(stated ?? 0, where).toBeGreaterThanOrEqual(wasKilled ? lastLost : 0)
    const { answered } = await service.counts()
    const isBegun = beginning !== 'restarted' || answered > 0
    const recorded = isBegun ? records(output).length : 0
    lastLost = answered - recorded - lost
    lost += lastLost
    wasKilled = ended.signal !== null
    if (wasKilled) lostByKill.push(lastLost)
    expect(lastLost, where).toBeGreaterThanOrEqual(0)
    expect(lastLost, where).toBeLessThanOrEqual(wasKilled ? Math.min(open, maxJobs) : 0)
    if (!wasKilled) expect(ended, where).toMatchObject({ code: 0 })
  }
  expect((await service.counts()).answered, where).toBe(rows + lost)
  expect(records(output), where).toHaveLength(rows)
  expectWhole(output)
}

interface Killed {
  readonly ended: Ended
  /** The connections that were open at its end: each can have had one request in flight. */
  readonly open: number
}

/** Starts or continues a run, and kills it, unless it ends before. */
async function runUntil(kill: Kill | undefined, service: BatchService, argv: string[]): Promise<Killed> {
  const { statuses } = await service.counts()
  const asked = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const run = startSyn(argv, environment(service))
  if (kill) {
    const { after, delay } = kill
    const output = argv[argv.indexOf('-o') + 1]
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

/** The answers in a store that count: those since a restart. A line that is torn is none. */
function records(output: string): string[] {
  const path = `${output}.answers`
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const lines = text
    .slice(text.lastIndexOf('"restart":') + 1)
    .split('\n')
    .slice(0, -1)
  return lines.filter((line) => line.includes('"status_code":200'))
}

function expectWhole(output: string): void {
  expect(readFileSync(output, 'utf8')).toBe(readFileSync(whole, 'utf8'))
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n')
  const ids = lines.map((line) => (JSON.parse(line) as { custom_id: string }).custom_id)
  expect(ids).toEqual(Array.from({ length: rows }, (_, row) => `line-${row + 1}`))
  const beside = readdirSync(folder).filter((name) => name.startsWith(`${basename(output)}.`))
  // No lock, and no file of a run that was killed.
  expect(beside).toEqual([`${basename(output)}.answers`])
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
  const all = join(folder, 'all.jsonl')
  const joined = await shell(
    `cat ${quoted(folder)}/shard-?.jsonl.answers > ${quoted(all)}.answers
     exec ${synCommand} ${[...argvFor(all), '--offline'].map(quoted).join(' ')}`,
    environment(service),
  )
  expect(joined).toMatchObject({
    code: 0,
    err: expect.stringContaining(`written from ${rows} recorded answers; nothing was sent`) as string,
  })
  expectWhole(all)
})
