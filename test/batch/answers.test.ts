/** The output follows from the rows, the recorded answers and the output options: requests are counted at the service. */

import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { encodeLine } from '../../src/batch/answers/line.ts'
import { BatchProgram } from '../helpers/batch-program.ts'
import { startBatchService } from '../helpers/batch-service.ts'
import { streamed } from '../helpers/chat-chunks.ts'
import { expectMode } from '../helpers/modes.ts'
import { fourRows, RecordedRun } from '../helpers/recorded-run.ts'
import type { Outcome } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

/** The command again: what is done before it, and what is expected of it. */
interface Step {
  readonly change?: (run: RecordedRun) => void
  /** The rows of the input, from now on. */
  readonly rows?: readonly string[]
  /** Options, of which some take the place of those of the run. */
  readonly argv?: readonly string[]
  /** Requests, whatever their reply (default: 0). */
  readonly sent?: number
  /** Default: 0. */
  readonly code?: number
  /** In standard error. */
  readonly err?: string | RegExp
  /** In the store. */
  readonly records?: number
}

/** Formats of the output. What is done to each is the same: each case is tried with one. */
const formats = [['out.jsonl'], ['out.csv', '--keep', 'id,text'], ['out.txt']]

async function follow(run: RecordedRun, steps: readonly Step[]): Promise<void> {
  for (const [number, { change, rows, argv = [], sent = 0, code = 0, err = '', records }] of steps.entries()) {
    if (rows) run.table(rows)
    change?.(run)
    const before = run.text()
    const outcome = await run.ask(...argv)
    const message = (typeof err === 'string' ? expect.stringContaining(err) : expect.stringMatching(err)) as string
    expect({ number, ...outcome }).toMatchObject({ number, code, err: message, sent })
    const isStopped = code === 2 || outcome.err.includes('to continue: ')
    // In a clean run, what fails once fails no more.
    const isOther = code === 1 && readFileSync(run.input, 'utf8').includes('once')
    const text = isStopped ? before : isOther ? run.text() : await run.cleanText(...argv)
    expect({ number, text: run.text(), records: records && run.records() }).toEqual({ number, text, records })
  }
}

const [a, b, c, d] = fourRows
const fiveRows = [...fourRows, '5,e']
const long = 'x'.repeat(3_000_000)
const five = Array.from({ length: 5 }, () => '1,a')
const cutRows = ['1,a', '2,needs 20 tokens', '3,no text']
const first: Step = { sent: 4 }
const other = ['-t', 'Other: {{text}}']
const wasChanged = 'was changed since syn batch wrote it, or is of other runs: '
const damaged = (count: string): string => `${count} damaged, and not used\n`

const otherVersion = 'is of another version of syn batch\n'
const otherSettings = 'rows would be sent with other settings than before: '
const ten = ['--max-tokens', '10']

function promptFile(run: RecordedRun, head: string, text = '{{a}}: {{text}}{{b}}'): string {
  writeFileSync(run.path('prompt.md'), `---\n${head}\n---\n${text}\n`)
  return `@${run.path('prompt.md')}`
}

const cases: Readonly<Record<string, readonly Step[]>> = {
  'the same command sends nothing, also with other token limits and another pace': [
    first,
    { err: /: unchanged, from 4 recorded answers; nothing was sent; --restart asks again\n/ },
    { argv: ['--max-tokens', '50'] },
    { argv: ['--max-completion-tokens', '50', '--jobs', '2', '--rpm', '6000'] },
    { argv: [...other, '--restart'], code: 2, err: 'use --new-settings to send them' },
    { argv: ['--restart'], sent: 4, records: 8 },
    {},
  ],
  'other output options': [
    first,
    { argv: ['--keep', 'text', '--format', 'csv'], err: ': written from 4 recorded answers; nothing was sent' },
    { argv: ['--format', 'jsonl'] },
  ],
  'rows added, one twice, and moved; another column edited': [
    first,
    { rows: ['0,z', ...fourRows, '6,"f\nf"', b], sent: 3, err: '4 of 7 rows have an answer; 3 rows to send' },
    { rows: [d, c, b, a] },
    { rows: fourRows.map((row) => `0${row}`) },
  ],
  'a row edited, and back': [first, { rows: [a, '2,edited', c, d], sent: 1 }, { rows: fourRows, records: 5 }],
  'rows removed, and back': [first, { rows: [a, d], records: 4 }, { rows: [a, d, '5,e'], sent: 1 }, { rows: fourRows }],
  'equal rows are as many requests': [
    { rows: five, sent: 5 },
    { rows: [...five, '6,a'], sent: 1 },
    { rows: five.slice(1) },
  ],
  '--dedupe sends equal rows once': [
    { rows: five, argv: ['--dedupe'], sent: 1 },
    { rows: [...five, '6,b'], argv: ['--dedupe'], sent: 1 },
    { rows: five, sent: 4 },
    { argv: ['--dedupe'] },
  ],
  '--limit': [
    { argv: ['--limit', '1'], sent: 1 },
    { argv: ['--limit', '3'], sent: 2 },
    { sent: 1 },
    { argv: ['--limit', '1'] },
  ],
  '--sample': [
    { argv: ['--sample', '2', '--sample-seed', '7'], sent: 2 },
    { sent: 2 },
    { argv: ['--sample', '2'] },
    { argv: ['--restart', '--limit', '2'], code: 2, err: '--limit and --restart cannot be combined' },
    {
      argv: ['--restart', '--shard', '1/2'],
      code: 2,
      err: '--restart would also drop 2 answers to rows of other shards',
    },
    {},
  ],
  '--shard': [{ argv: ['--shard', '1/2'], sent: 2 }, { argv: ['--shard', '2/2'], sent: 2 }, {}],
  'an output that was edited': [
    first,
    { change: (run) => appendFileSync(run.out, '\n'), code: 2, err: wasChanged },
    { argv: ['--restart'], code: 2, err: wasChanged },
    { change: (run) => renameSync(run.out, run.path('moved')) },
    { change: (run) => writeFileSync(run.out, '') },
    { change: (run) => rmSync(run.out) },
    { change: (run) => (copyFileSync(run.out, run.path('older')), undefined), rows: [a, b] },
    { change: (run) => renameSync(run.path('older'), run.out) },
  ],
  'an output that another program wrote': [
    { change: (run) => writeFileSync(run.out, 'mine\n'), code: 2, err: 'exists and ' },
    { argv: ['--restart'], code: 2, err: 'exists and ' },
    { change: (run) => rmSync(run.out), sent: 4 },
  ],
  'without the store': [
    first,
    { change: (run) => rmSync(run.store), code: 2, err: 'exists and was not written by syn batch: there is no ' },
    { change: (run) => rmSync(run.out), sent: 4 },
  ],
  'a store that another program wrote': [
    {
      change: ({ store }) => writeFileSync(store, 'mine\n'),
      code: 2,
      err: 'answers exists and is not of a run of syn',
    },
    { argv: ['--restart'], code: 2 },
    {
      change: ({ store }) => (rmSync(store), mkdirSync(store)),
      code: 2,
      err: 'answers exists and is not of a run of syn',
    },
    { change: ({ store }) => (rmdirSync(store), writeFileSync(store, '\n{"su')), sent: 4 },
  ],
  'a store of another version': [
    {
      change: (run) => writeFileSync(run.store, `\n${encodeLine({ run: { store: 99 } })}`),
      code: 2,
      err: otherVersion,
    },
    { argv: ['--restart'], code: 2, err: otherVersion },
  ],
  'another service': [
    first,
    { argv: ['--api', 'messages'], code: 2, err: `${otherSettings}the API\n` },
    { argv: ['--base-url', 'http://127.0.0.1:9'], code: 2, err: `${otherSettings}the base URL\n` },
    { change: ({ env }) => void (env.SYN_BASE_URL += '/v9'), code: 2, err: `${otherSettings}the base URL\n` },
  ],
  '--offline without a store': [{ argv: ['--offline'], code: 2, err: '--offline: there are no recorded answers: no ' }],
  'another input': [
    first,
    { rows: ['9,x'], code: 2, err: /no answer in .*\.answers is of a row of .*in\.txt\nhint: choose another --output/ },
    { rows: [], code: 2, err: 'no answer in ' },
    { rows: ['9,x'], argv: [...other, '--new-settings'], sent: 1 },
    { argv: ['--restart'], sent: 1, records: 6 },
  ],
  'a --restart that gets no whole answer leaves the former ones': [
    { rows: ['1,needs 20 tokens'], argv: ['--max-tokens', '30'], sent: 1 },
    { argv: [...ten, '--restart'], sent: 1, code: 1 },
    { argv: ['--max-tokens', '30'] },
  ],
  'failed rows are sent again': [
    { rows: [...fourRows, '5,status 400', '6,status 400 once'], sent: 6, code: 1 },
    { sent: 2, code: 1, err: '4 of 6 rows have an answer; 2 rows to send' },
    { sent: 1, code: 1, err: 'hint: the same command sends only these again: syn batch ' },
    { rows: fourRows, err: 'nothing was sent' },
  ],
  'answers that are not whole': [
    { rows: cutRows, argv: ten, sent: 4, code: 1, err: '2 of 3 rows failed, the last one with: the answer is empty' },
    { argv: [...ten, '--allow-cut'], err: 'written from 3 recorded answers' },
    {
      argv: ten,
      code: 1,
      err: 'these again; --retry-empty sends the empty ones again; --allow-cut takes them',
    },
    { argv: [...ten, '--allow-cut', '--restart'], sent: 3, err: '(1 cut off at the token limit)' },
    { argv: ['--max-tokens', '30'], sent: 1, code: 1, err: 'hint: --retry-empty sends these again' },
    { argv: ['--max-completion-tokens', '50'], code: 1 },
    { argv: ['--retry-empty', '--retries', '0'], sent: 1, code: 1 },
  ],
  'a damaged line is named once, and its row asked again': [
    first,
    { change: (run) => run.edit(3, (line) => line.replace('"content":"', '$&x')), sent: 1, err: damaged('1 line is') },
    { err: 'answers has 1 damaged line\n' },
    // That of the run.
    { change: (run) => run.edit(1, (line) => line.replace('"syn":"', '$&x')), err: damaged('2 lines are') },
    {
      change: (run) => run.edit(4, (line) => `${long}\n${line}`),
      rows: fiveRows,
      sent: 1,
      err: damaged('3 lines are'),
    },
    { err: 'answers has 3 damaged lines\n' },
  ],
  'a torn line': [
    first,
    { change: (run) => run.killed(2, 100), sent: 2, err: /2 of 4 rows.*|answers was incomplete, and is removed\n/ },
    { change: (run) => (run.killed(1), appendFileSync(run.store, '\0'.repeat(5000))), sent: 1, err: 'was incomplete' },
    { change: (run) => appendFileSync(run.store, long), rows: fiveRows, sent: 1, err: 'was incomplete' },
    { change: (run) => run.killed(1, -1), err: /^(?!.*incomplete).*written from 5 recorded answers/s },
    {},
  ],
  'a killed run says what may be paid for twice': [
    { argv: ['--jobs', '2'], sent: 4 },
    {
      change: (run) => run.killed(3),
      sent: 1,
      err: /the last run was killed: up to \d+ requests? in flight then may be paid for twice\n.*3 of 4 rows/s,
    },
    { err: /^(?!.*paid for twice)/s },
  ],
  'what a killed run left of its output': [
    { rows: [...fourRows, '5,status 400'], sent: 5, code: 1 },
    {
      change(run) {
        for (const name of ['output', 'errors']) writeFileSync(`${run.out}.partial-${name}`, '{"id"')
        rmSync(run.out)
      },
      sent: 1,
      code: 1,
    },
  ],
  'a --restart that was stopped goes on without it': [
    { ...first, argv: ['--jobs', '1'] },
    {
      rows: [a, '2,status 400', c, d],
      argv: ['--restart', '--jobs', '1', '--max-errors', '0'],
      sent: 2,
      code: 1,
      records: 6,
    },
    { argv: other, code: 2, err: `4 ${otherSettings}the template\n` },
    // The record of the failure stays.
    { rows: fourRows, sent: 3, records: 9 },
    {},
  ],
  'with a --restart that failed in part, the answers before stay in the store, and do not count': [
    first,
    { rows: [a, '2,status 400 once', c, d], argv: ['--restart'], sent: 4, code: 1, records: 8 },
    { sent: 1, records: 9 },
    {},
  ],
}

test.each(Object.keys(cases))('%s', async (name) => {
  await using service = await startBatchService()
  const format = formats[Object.keys(cases).indexOf(name) % formats.length]
  await follow(new RecordedRun(service, format), cases[name] ?? [])
})

test('--new-settings asks, and going back and forth costs nothing', async () => {
  await using service = await startBatchService()
  const argv = ['-m', 'hf:test/two']
  await follow(new RecordedRun(service), [
    first,
    { argv, code: 2, err: `${otherSettings}the model\nhint: use --new-settings ` },
    { argv: [...argv, '--new-settings'], sent: 4 },
    { argv },
    { rows: fiveRows, argv, sent: 1 },
    { sent: 1 },
  ])
})

test('other settings are refused, and named', async () => {
  await using service = await startBatchService()
  await follow(new RecordedRun(service), [
    first,
    { argv: other, code: 2, err: `${otherSettings}the template\n` },
    { argv: ['--schema', '{"type":"object"}'], code: 2, err: `${otherSettings}the schema\n` },
    { argv: ['-p', 'x_other=1', '-s', 'Be brief'], code: 2, err: `${otherSettings}system, x_other\n` },
    { argv: ['-t', '{{text}}', '--seed', '1'], code: 2, err: `${otherSettings}the template, seed\n` },
  ])
})

test('settings of a prompt in a file are those of the run, wherever they are given', async () => {
  await using service = await startBatchService()
  const run = new RecordedRun(service)
  const prompt = promptFile(run, 'temperature: 0')
  const values = ['-t', prompt, '--var', 'b=!', '--var', 'a=S']
  const refused = (named: string): Partial<Step> => ({ code: 2, err: `${otherSettings}${named}\n` })
  const change = (head: string, text?: string) => (): void => void promptFile(run, head, text)
  await follow(run, [
    { argv: values, sent: 4 },
    { argv: [...values, '--temperature', '0'], change: change(''), err: 'nothing was sent' },
    { argv: values, change: change('system: x\ntemperature: 1'), ...refused('system, temperature') },
    { argv: values, change: change('temperature: 0', '{{a}}; {{text}}{{b}}'), ...refused('the template') },
    { argv: ['-t', prompt, '--var', 'a=T', '--var', 'b=!'], change: change('temperature: 0'), ...refused('--var') },
    { argv: values, change: change('description: x\ntemperature: 0'), err: 'nothing was sent' },
  ])
})

test('an alias with another model is no other setting, and said', async () => {
  let target = 'one'
  await using service = await startService((asked, response) => {
    const models = { data: [{ id: 'syn:large:text', hugging_face_id: target }] }
    const answer = asked.path === '/openai/v1/models' ? json(models) : streamed('Answer')
    return answer(asked, response)
  })
  const batch = new BatchProgram(service, ['a'])
  const file = (): Promise<Outcome> => batch.file('-m', 'syn:large:text', '--jobs', '1')
  expect(await file()).toMatchObject({ code: 0 })
  target = 'two'
  rmSync(`${batch.env.HOME}/.cache`, { recursive: true, force: true })
  batch.write(['a', 'b'])
  const err = expect.stringContaining('syn:large:text was hf:one in the last run, and is hf:two now\n') as string
  expect(await file()).toMatchObject({ code: 0, err })
  expect(service.asked.filter(({ method }) => method === 'POST')).toHaveLength(2)
})

test('streaming and the order of fields make no other request, but that within a schema does', async () => {
  await using service = await startBatchService()
  const tool = (parameters: string): string =>
    `"tools":[{"type":"function","function":{"name":"f","parameters":{"properties":{${parameters}}}}}]`
  const tools = tool('"a":{},"b":{}')
  const batch = new BatchProgram(service, [`{"temperature":0,${tools},"messages":[{"role":"user","content":"a"}]}`])
  expect(await batch.file('--input-format', 'jsonl')).toMatchObject({ code: 0 })
  const sorted = tools.replace('"type":"function","function":', '"function":').replace('}]', ',"type":"function"}]')
  batch.write([`{"messages":[{"content":"a","role":"user"}],"stream":false,"temperature":0,${sorted}}`])
  const again = await batch.file('--input-format', 'jsonl', '--no-stream')
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining('nothing was sent') as string })
  batch.write([`{"messages":[{"content":"a","role":"user"}],"temperature":0,${tool('"b":{},"a":{}')}}`])
  const { code, err } = await batch.file('--input-format', 'jsonl', '--no-stream')
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('no answer in ') as string })
})

test('a --restart that gets no answer leaves the former ones', async () => {
  await using service = await startBatchService()
  const run = new RecordedRun(service)
  await follow(run, [first])
  await service.set({ status: 401 })
  expect(await run.ask('--restart')).toMatchObject({ code: 3 })
  await service.set({ status: undefined })
  await follow(run, [{}, { argv: ['--restart'], sent: 4, records: 8 }])
})

test('once requests were sent, an input that changes is no usage error', async () => {
  const service = await startService((asked, response) => {
    if (asked.json) appendFileSync(batch.input, 'b\n')
    return asked.json ? streamed('Hi')(asked, response) : json({}, 404)(asked, response)
  })
  const batch = new BatchProgram(service, ['a'])
  const outcome = await batch.file()
  await service.close()
  expect(outcome).toMatchObject({
    code: 1,
    err: expect.stringMatching(/changed while it was read\n.*1 row has an answer/) as string,
  })
})

test('--dry-run and the first line of a run say how many rows have an answer', async () => {
  await using service = await startBatchService()
  const run = new RecordedRun(service)
  const preview = async (): Promise<string> => {
    const { code, sent, err } = await run.ask('--dry-run')
    expect({ code, sent }).toEqual({ code: 0, sent: 0 })
    return err
  }
  expect(await preview()).toContain('syn: 4 requests · about 33 tokens of prompts; the first 3:\n')
  expect(readdirSync(run.folder)).toEqual(['in.txt'])
  await follow(run, [first])
  run.table(fiveRows)
  const before = readFileSync(run.store)
  expect(await preview()).toContain(
    'syn: 5 requests · 4 of 5 rows have an answer · 1 would be sent · about 8 tokens of prompts; the first 3:\n',
  )
  expect(readFileSync(run.store).equals(before)).toBe(true)
  expect(await run.ask('--dry-run', ...other)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`5 ${otherSettings}the template\n`) as string,
  })
})

test('--offline writes what there is, and connects to nothing', async () => {
  const service = await startBatchService()
  const run = new RecordedRun(service)
  await follow(run, [{ rows: fourRows.slice(0, 2), sent: 2 }])
  const text = run.text()
  await service.stop()
  const { SYN_API_KEY: _key, ...env } = run.env
  Object.assign(run, { env })
  expect(await run.ask('--offline')).toMatchObject({
    code: 0,
    err: expect.stringMatching(/from 2 recorded answers; nothing was sent\n$/) as string,
  })
  run.table(fourRows)
  const outcome = await run.ask('--offline')
  expect(outcome).toMatchObject({
    code: 1,
    err: expect.stringContaining('syn: 2 of 4 rows failed, the last one with: no answer is recorded; see ') as string,
  })
  expect(outcome.err).toContain('hint: to send them: syn batch ')
  expect(outcome.err).not.toContain('--offline')
  expect(run.text()).toBe(text)
  expect(run.errors().map(({ id, code }) => [id, code])).toEqual([
    ['3', 'no_answer'],
    ['4', 'no_answer'],
  ])
  // Its settings are asked of nobody.
  expect(await run.ask('--offline', '--temperature', '1')).toMatchObject({ code: 2 })
})

test.each(['--restart', '--dedupe'])('%s needs a file of results', async (flag) => {
  await using service = await startBatchService()
  const err = `syn: ${flag} needs --output: without a file, no answer is recorded\n`
  expect(await new BatchProgram(service, ['a']).filter(flag)).toEqual({ code: 2, out: '', err })
})

test.each([[[0, 1]], [[1, 0]]])('stores joined by cat, one torn, one with a killed --restart: %j', async (order) => {
  await using service = await startBatchService()
  const all = new RecordedRun(service)
  const parts = [new RecordedRun(service), new RecordedRun(service)]
  for (const [at, part] of parts.entries()) {
    part.table(fourRows.slice(2 * at, 2 * at + 2))
    expect(await part.ask()).toMatchObject({ code: 0 })
    if (at === 0) part.killed(1, 50)
    else {
      part.table(['3,c', '4,status 400'])
      // Its mark counts the bytes before it: not those of another store.
      expect(await part.ask('--restart', '--jobs', '1')).toMatchObject({ code: 1 })
      part.killed(1)
      expect(part.records()).toBe(3)
    }
  }
  writeFileSync(all.store, Buffer.concat(order.map((at) => readFileSync(parts[at]?.store ?? ''))))
  await follow(all, [{ sent: 2 }, {}])
  expectMode(all.store, '600')
})

test('a record that the disk damages during the run is no result; the same command sends its row again', async () => {
  let damage = (): void => undefined
  await using service = await startService((asked, response) => {
    if (asked.body.includes('second')) damage()
    return streamed('Answer')(asked, response)
  })
  const batch = new BatchProgram(service, ['first', 'second'])
  const store = `${batch.output}.answers`
  damage = () => writeFileSync(store, readFileSync(store, 'utf8').replace('Answer', 'answer'))
  const file = (): Promise<Outcome> => batch.file('-m', 'hf:test/one', '--jobs', '1')
  expect(await file()).toMatchObject({
    code: 1,
    err: expect.stringContaining('1 of 2 rows failed, the last one with: no answer is recorded') as string,
  })
  expect(batch.errors()).toEqual([{ id: 'line-1', code: 'no_answer' }])
  expect(await file()).toMatchObject({ code: 0, err: expect.stringContaining('1 line is damaged') as string })
  expect(service.asked.filter(({ method }) => method === 'POST')).toHaveLength(3)
  expect(batch.rows().map(({ text }) => text)).toEqual(['Answer', 'Answer'])
})

describe('results that another program changes during the run', () => {
  test.each<[what: string, changed: string, isThere: boolean]>([
    ['those of a finished run', 'out.jsonl', true],
    ['a file in place of the errors', 'out.errors.jsonl', false],
  ])('%s: is not replaced, and nothing is paid for twice', async (_what, changed, isThere) => {
    await using service = await startBatchService()
    const run = new RecordedRun(service)
    if (isThere) await follow(run, [{ rows: fourRows.slice(1), sent: 3 }])
    run.table(fourRows)
    await service.set({ workers: 0 })
    const running = run.ask()
    await service.untilAsked(1)
    writeFileSync(run.path(changed), 'precious')
    await service.set({ workers: undefined })
    const { code, err } = await running
    expect({ code, text: readFileSync(run.path(changed), 'utf8') }).toEqual({ code: 1, text: 'precious' })
    expect(err).toContain('was changed during the run by another program\nhint: move it; ')
    rmSync(run.path(changed))
    await follow(run, [{}])
    expect(readdirSync(run.folder).filter((name) => name !== basename(run.input))).toEqual([
      'out.jsonl',
      'out.jsonl.answers',
    ])
  })
})
