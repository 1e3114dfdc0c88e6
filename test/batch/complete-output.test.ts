/** Finished results: the same command adds rows to them, and is refused with other settings, counted at the service. */

import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BatchProgram } from '../helpers/batch-program.ts'
import { type BatchService, startBatchService } from '../helpers/batch-service.ts'
import type { Outcome } from '../helpers/run-syn.ts'

type Row = readonly [id: string, text: string]

const rows: readonly Row[] = [
  ['1', 'a'],
  ['2', 'b "b"'],
  ['3', 'c'],
  ['4', 'd'],
]

/** The name of the output, and options that belong to it. What is done to each is the same: each change is tried with one. */
const formats: [name: string, argv: string[]][] = [
  ['out.jsonl', []],
  ['out.csv', ['--keep', 'id,text']],
  ['out.txt', []],
]

class Finished extends BatchProgram {
  readonly argv: string[]
  readonly out: string
  readonly #service: BatchService

  constructor(service: BatchService, name: string, argv: readonly string[]) {
    super(service)
    this.#service = service
    this.out = this.path(name)
    this.argv = [this.path('in.csv'), '-t', 'S: {{text}}', '-m', 'hf:test/one', '-o', this.out, ...argv]
  }

  writeTable(table: readonly Row[]): void {
    const lines = table.map(([id, text]) => `${id},"${text.replaceAll('"', '""')}"\n`)
    writeFileSync(this.path('in.csv'), `id,text\n${lines.join('')}`)
  }

  /** Counts from 0. @param argv With a template, in place of the first one. */
  async runAgain(...argv: string[]): Promise<Outcome & { sent: number }> {
    await this.#service.resetCounts()
    const at = this.argv.indexOf('-t')
    const own = argv.includes('-t') ? this.argv.toSpliced(at, 2) : this.argv
    const outcome = await this.run([...own, ...argv])
    return { ...outcome, sent: (await this.#service.counts()).answered }
  }

  text(): string {
    return readFileSync(this.out, 'utf8')
  }

  /** The rows and tokens that `syn batch status` has. */
  async tokens(): Promise<number[]> {
    const { out } = await this.run(['status', '--json', this.out])
    const { rows, done, prompt_tokens, completion_tokens } = JSON.parse(out) as Record<string, number>
    return [rows, done, prompt_tokens, completion_tokens].map(Number)
  }
}

/** A finished run of `rows`. */
async function finished(
  service: BatchService,
  name: string,
  argv: readonly string[],
  ...more: string[]
): Promise<Finished> {
  const batch = new Finished(service, name, argv)
  batch.writeTable(rows)
  expect(await batch.runAgain(...more)).toMatchObject({ code: 0 })
  return batch
}

/** What differs, and what the message names. */
const settings: [what: string, argv: string[], named: string][] = [
  ['the template', ['-t', 'Again: {{text}}'], 'the template'],
  ['the model', ['-m', 'hf:test/two'], 'the model'],
  ['the schema', ['--schema', '{"type":"object"}'], 'the schema'],
  ['a field', ['--temperature', '0.5'], 'temperature'],
  ['another field', ['-p', 'x_other=1'], 'x_other'],
  ['the system prompt', ['-s', 'Be brief'], 'system'],
  ['the API', ['--api', 'messages'], 'the API'],
  ['several settings', ['-t', '{{text}}', '--seed', '1'], 'the template, seed'],
  ['the base URL', ['--base-url', 'http://127.0.0.1:9'], 'the base URL'],
  ['its path', [], 'the base URL'],
]

describe.each(formats.map((format, at) => [...format, at] as const))('%s', (name, argv, at) => {
  const part = <One>(all: readonly One[]): readonly One[] => all.filter((_, index) => index % formats.length === at)

  test('nothing is sent for the same settings, also with other token limits and another pace', async () => {
    await using service = await startBatchService()
    const batch = await finished(service, name, argv)
    const text = batch.text()
    for (const more of [[], ['--max-tokens', '50'], ['--max-completion-tokens', '50', '--jobs', '2', '--rpm', '60']]) {
      const { code, err, sent } = await batch.runAgain(...more)
      expect({ code, err, sent }).toMatchObject({ code: 0, err: expect.stringContaining('nothing was sent') as string })
      expect(sent).toBe(0)
    }
    expect(batch.text()).toBe(text)
  })

  test.each(part(settings))(
    'with a change of %s it is refused, and starts anew with --restart',
    async (what, more, named) => {
      await using service = await startBatchService()
      const batch = await finished(service, name, argv)
      const text = batch.text()
      if (what === 'its path') batch.env.SYN_BASE_URL += '/prefix'
      const { code, err, sent } = await batch.runAgain(...more)
      expect({ code, err, sent }).toEqual({
        code: 2,
        err: expect.stringContaining(`syn: ${batch.out} is of a run with other settings: ${named}`) as string,
        sent: 0,
      })
      expect(batch.text()).toBe(text)
      if (!['the template', 'the model', 'a field'].includes(what)) return
      expect(await batch.runAgain(...more, '--restart')).toMatchObject({ code: 0, sent: rows.length })
      expect(await batch.runAgain(...more)).toMatchObject({ code: 0, sent: 0 })
    },
  )

  test.each(
    part<[what: string, change: (batch: Finished) => void, message: RegExp]>([
      ['changed since', (batch) => appendFileSync(batch.out, '{"id":"batch_req_0"}\n'), /was changed since syn batch/],
      ['emptied', (batch) => writeFileSync(batch.out, ''), /was changed since syn batch/],
      ['cut', (batch) => writeFileSync(batch.out, batch.text().slice(0, -9)), /was changed since syn batch/],
      ['without its identity', (batch) => rmSync(`${batch.out}.identity`), /not written by this version of syn batch/],
      ['of another input', (batch) => batch.writeTable([['9', 'x']]), /none of its 4 results is of a row of .*in.csv/],
    ]),
  )('an output %s is refused', async (_what, change, message) => {
    await using service = await startBatchService()
    const batch = await finished(service, name, argv)
    change(batch)
    const text = batch.text()
    const { code, err, sent } = await batch.runAgain()
    expect({ code, err, sent }).toEqual({ code: 2, err: expect.stringMatching(message) as string, sent: 0 })
    expect(err).toContain('\nhint: use --restart ')
    expect(batch.text()).toBe(text)
  })

  test('without the output it is a new run', async () => {
    await using service = await startBatchService()
    const batch = await finished(service, name, argv)
    const text = batch.text()
    rmSync(batch.out)
    expect(await batch.runAgain('-t', 'Other: {{text}}')).toMatchObject({ code: 0, sent: rows.length })
    rmSync(batch.out)
    expect(await batch.runAgain()).toMatchObject({ code: 0, sent: rows.length })
    expect(batch.text()).toBe(text)
  })

  const [first, second] = [rows.slice(0, 2), rows.slice(2)]
  const [a = ['', ''], b = ['', ''], c = ['', ''], d = ['', '']] = rows
  test.each(
    part<[what: string, table: readonly Row[], sent: number]>([
      ['rows were added at the end', [...rows, ['5', 'e'], ['6', 'f\nf']], 2],
      ['rows were added between', [['0', 'z'], ...first, ['5', 'e'], ...second], 2],
      ['a row was edited', [a, ['2', 'edited'], c, d], 1],
      ['a row is there twice', [a, b, b, c, d], 1],
      ['rows were moved', [d, c, b, a], 0],
      ['rows were removed', [a, d], 0],
      ['other columns were edited', rows.map(([id, text]) => [`id ${id}`, text]), 0],
    ]),
  )('%s: only new ones are sent, and all are in the order of the input', async (_what, table, sent) => {
    await using service = await startBatchService()
    const batch = await finished(service, name, argv)
    batch.writeTable(table)
    const added = await batch.runAgain()
    expect({ code: added.code, err: added.err, sent: added.sent }).toMatchObject({ code: 0, sent })
    const text = batch.text()
    const tokens = await batch.tokens()
    expect(await batch.runAgain()).toMatchObject({ code: 0, sent: 0 })
    expect(await batch.runAgain('--restart')).toMatchObject({ code: 0, sent: table.length })
    expect(text).toBe(batch.text())
    // Other results stay in the journal, whose tokens count.
    if (table.length >= rows.length + sent) expect(await batch.tokens()).toEqual(tokens)
  })

  test.each(
    part<[what: string, before: string[], after: string[]]>([
      ['--limit', ['--limit', '2'], []],
      ['a higher --limit', ['--limit', '1'], ['--limit', '4']],
      ['--sample', ['--sample', '2'], []],
      ['another --sample-seed, and the rest', ['--sample', '2', '--sample-seed', '7'], []],
    ]),
  )('after %s, only rows chosen later are sent', async (_what, before, after) => {
    await using service = await startBatchService()
    const batch = await finished(service, name, argv, ...before)
    const chosen = (await service.counts()).answered
    expect(await batch.runAgain(...after)).toMatchObject({ code: 0, sent: rows.length - chosen })
    const text = batch.text()
    // Rows that are there stay.
    expect(await batch.runAgain(...before)).toMatchObject({ code: 0, sent: 0 })
    expect(batch.text()).toBe(text)
    expect(await batch.runAgain('--restart')).toMatchObject({ code: 0, sent: rows.length })
    expect(text).toBe(batch.text())
  })

  test('the shards of one output join in it', async () => {
    await using service = await startBatchService()
    const batch = await finished(service, name, argv, '--shard', '1/2')
    const { answered } = await service.counts()
    expect(await batch.runAgain('--shard', '2/2')).toMatchObject({ code: 0, sent: rows.length - answered })
    const text = batch.text()
    await batch.runAgain('--restart')
    expect(text).toBe(batch.text())
  })

  test('a damaged line of the identity is reported, and its row asked again', async () => {
    await using service = await startBatchService()
    const batch = await finished(service, name, argv)
    const text = batch.text()
    const identity = readFileSync(`${batch.out}.identity`, 'utf8').split('\n')
    identity[2] = identity[2]?.replace(/"hash":"./, '"hash":"-') ?? ''
    writeFileSync(`${batch.out}.identity`, identity.join('\n'))
    const { code, err, sent } = await batch.runAgain()
    expect({ code, sent }).toEqual({ code: 0, sent: 1 })
    expect(err).toContain(`${batch.out}.identity: 1 line is damaged; the rows are sent again\n`)
    expect(batch.text()).toBe(text)
  })
})

test('results of failed rows that were edited by hand are not replaced', async () => {
  await using service = await startBatchService()
  const batch = new Finished(service, 'out.csv', [])
  batch.writeTable([...rows, ['5', 'status 400 once']])
  expect(await batch.runAgain()).toMatchObject({ code: 1, sent: 4 })
  appendFileSync(batch.out, 'by hand\n')
  const { code, err, sent } = await batch.runAgain()
  expect({ code, err, sent }).toMatchObject({
    code: 2,
    err: expect.stringContaining('was changed since') as string,
    sent: 0,
  })
  expect(err).toContain('hint: move it to continue the run')
  rmSync(batch.out)
  expect(await batch.runAgain()).toMatchObject({ code: 0, sent: 1 })
})

test('a file of somebody else is replaced with --restart alone, also if that run is continued', async () => {
  await using service = await startBatchService()
  const batch = new Finished(service, 'out.csv', [])
  batch.writeTable([...rows, ['5', 'status 400']])
  writeFileSync(batch.out, 'mine\n')
  expect(await batch.runAgain()).toMatchObject({ code: 2, sent: 0 })
  expect(batch.text()).toBe('mine\n')
  expect(await batch.runAgain('--restart', '--jobs', '1', '--max-errors', '0')).toMatchObject({ code: 1, sent: 4 })
  expect(batch.text()).toBe('mine\n')
  batch.writeTable(rows)
  expect(await batch.runAgain()).toMatchObject({ code: 0, sent: 0 })
  expect(batch.text()).toMatch(/^answer\n/)
})

/** Files of a run that adds to finished results, from its start and its end, as a kill leaves them. */
const kills: [when: string, files: Record<string, 'before' | 'after'>][] = [
  ['before it wrote any', {}],
  ['while it opened the results again', { 'out.csv.partial-journal': 'before' }],
  ['before the new results were renamed', { 'out.csv.partial': 'after' }],
  [
    'before their identity was',
    { 'out.csv.partial': 'after', 'out.csv': 'after', 'out.csv.partial-identity': 'after' },
  ],
  ['before the journal was removed', { 'out.csv.partial': 'after', 'out.csv': 'after', 'out.csv.identity': 'after' }],
]

test.each(kills)('killed %s, nothing is lost, and nothing paid for twice', async (_when, files) => {
  await using service = await startBatchService()
  const batch = await finished(service, 'out.csv', ['--keep', 'id'])
  const read = (name: string): Buffer => readFileSync(batch.path(name))
  const before = [read('out.csv'), read('out.csv.identity')]
  // The journal is kept for the failed row.
  const table = [['0', 'z'], ...rows, ['5', 'status 400']] as const
  batch.writeTable(table)
  expect(await batch.runAgain()).toMatchObject({ code: 1, sent: 1 })
  const after = read('out.csv')
  const states: Record<string, Buffer> = {
    'out.csv': after,
    'out.csv.identity': read('out.csv.identity'),
    'out.csv.partial-identity': read('out.csv.identity'),
    'out.csv.partial': read('out.csv.partial'),
  }
  for (const name of Object.keys(states)) rmSync(batch.path(name), { force: true })
  for (const [at, name] of ['out.csv', 'out.csv.identity'].entries()) writeFileSync(batch.path(name), before[at] ?? '')
  for (const [name, which] of Object.entries(files)) {
    writeFileSync(batch.path(name), which === 'after' ? (states[name] ?? '') : '{"syn":"torn')
  }
  expect(await batch.runAgain()).toMatchObject({ code: 1, sent: 'out.csv.partial' in files ? 0 : 1 })
  expect(read('out.csv').equals(after)).toBe(true)
  expect(batch.exists('out.csv.partial-identity')).toBe(false)
  batch.writeTable(table.slice(0, -1))
  expect(await batch.runAgain()).toMatchObject({ code: 0, sent: 0 })
  expect(read('out.csv').equals(after)).toBe(true)
  expect(batch.exists('out.csv.partial')).toBe(false)
})

test('results of rows that were removed are kept until these are there again', async () => {
  await using service = await startBatchService()
  const batch = await finished(service, 'out.csv', ['--keep', 'id'])
  const text = batch.text()
  batch.writeTable(rows.slice(1, 3))
  const { code, err, sent } = await batch.runAgain()
  expect({ code, sent }).toEqual({ code: 0, sent: 0 })
  expect(err).toContain(
    `${batch.out}.partial is kept: it has 2 results of other rows; remove it if they are not needed\n`,
  )
  expect(await batch.runAgain('--keep', 'text')).toMatchObject({
    code: 2,
    err: expect.stringContaining('rows that were written with other settings: --keep') as string,
    sent: 0,
  })
  batch.writeTable(rows)
  expect(await batch.runAgain()).toMatchObject({ code: 0, sent: 0 })
  expect(batch.text()).toBe(text)
  expect(batch.exists('out.csv.partial')).toBe(false)
})

test.each([
  ['--keep', ['--keep', 'text'], '--keep'],
  ['no --keep', [], '--keep'],
  ['another format', ['--keep', 'id', '--format', 'jsonl'], 'the output format'],
])('with %s the results are refused', async (_what, argv, named) => {
  await using service = await startBatchService()
  const batch = await finished(service, 'out.csv', ['--keep', 'id'])
  batch.argv.splice(-2, 2, ...argv)
  const { code, err, sent } = await batch.runAgain()
  expect({ code, sent }).toEqual({ code: 2, sent: 0 })
  expect(err).toContain(`is of a run with other settings: ${named}\n`)
})

describe('of a prompt in a file, its text, its fields and its values identify the results', () => {
  const values = ['--var', 'b=!', '--var', 'a=S']
  test.each<[head: string, text: string, argv: string[], named: string | undefined]>([
    ['temperature: 0', '{{a}}: {{text}}{{b}}', values, undefined],
    ['temperature: 0', '{{a}}: {{text}}{{b}}', ['--var', 'a=S', '--var', 'b=!'], undefined],
    ['description: x\ntemperature: 0', '{{a}}: {{text}}{{b}}', values, undefined],
    ['', '{{a}}: {{text}}{{b}}', [...values, '--temperature', '0'], undefined],
    ['temperature: 1', '{{a}}: {{text}}{{b}}', values, 'temperature'],
    ['system: x\ntemperature: 0', '{{a}}: {{text}}{{b}}', values, 'system'],
    ['temperature: 0', '{{a}}; {{text}}{{b}}', values, 'the template'],
    ['temperature: 0', '{{a}}: {{text}}{{b}}', ['--var', 'a=T', '--var', 'b=!'], '--var'],
  ])('%j, %j, %j', async (head, text, argv, named) => {
    await using service = await startBatchService()
    const batch = new Finished(service, 'out.jsonl', [])
    batch.writeTable(rows)
    batch.argv.splice(2, 1, `@${batch.path('prompt.md')}`)
    writeFileSync(batch.path('prompt.md'), '---\ntemperature: 0\n---\n{{a}}: {{text}}{{b}}\n')
    expect(await batch.runAgain(...values)).toMatchObject({ code: 0, sent: 4 })
    writeFileSync(batch.path('prompt.md'), `---\n${head}\n---\n${text}\n`)
    const { code, err, sent } = await batch.runAgain(...argv)
    expect({ code, sent }).toEqual({ code: named === undefined ? 0 : 2, sent: 0 })
    expect(err).toContain(named === undefined ? 'nothing was sent' : `of a run with other settings: ${named}\n`)
  })
})

describe('results that another program changes during the run', () => {
  test.each<[what: string, changed: string, isThere: boolean]>([
    ['a file in their place', 'out.jsonl', false],
    ['those of a finished run', 'out.jsonl', true],
    ['a file in place of the errors', 'out.errors.jsonl', false],
  ])('%s: is not replaced, and nothing is paid for twice', async (_what, changed, isThere) => {
    await using service = await startBatchService({ workers: 0 })
    const batch = new Finished(service, 'out.jsonl', [])
    if (isThere) {
      await service.set({ workers: undefined })
      batch.writeTable(rows.slice(1))
      expect(await batch.runAgain()).toMatchObject({ code: 0, sent: 3 })
      await service.set({ workers: 0 })
      await service.resetCounts()
    }
    batch.writeTable(rows)
    const running = batch.run(batch.argv)
    await service.untilAsked(1)
    writeFileSync(batch.path(changed), 'precious')
    await service.set({ workers: undefined })
    const { code, err } = await running
    expect({ code, text: readFileSync(batch.path(changed), 'utf8') }).toEqual({ code: 1, text: 'precious' })
    expect(err).toContain('was changed during the run by another program\nhint: move it, and repeat the command')
    rmSync(batch.path(changed))
    if (isThere) rmSync(`${batch.out}.identity`)
    expect(await batch.runAgain()).toMatchObject({ code: 0, sent: 0 })
    expect(batch.text().split('\n')).toHaveLength(5)
  })
})

describe('with a journal that is kept', () => {
  test.each([
    ['an empty input', []],
    ['another input', [['9', 'z']] as Row[]],
  ])('%s replaces no results', async (_what, table) => {
    await using service = await startBatchService()
    const batch = await finished(service, 'out.jsonl', [])
    batch.writeTable(rows.slice(1))
    expect(await batch.runAgain()).toMatchObject({ code: 0, sent: 0 })
    const text = batch.text()
    batch.writeTable(table)
    const { code, err, sent } = await batch.runAgain()
    expect({ code, sent }).toEqual({ code: 2, sent: 0 })
    expect(err).toContain(`${batch.out} is of a run of another input: none of its 3 results`)
    expect(batch.text()).toBe(text)
  })
})

test('a --restart that was stopped replaces results with its own settings only', async () => {
  await using service = await startBatchService()
  const batch = await finished(service, 'out.jsonl', [])
  const text = batch.text()
  batch.writeTable([['1', 'status 400'], ...rows.slice(1)])
  const restarted = await batch.runAgain('--restart', '--jobs', '1', '--max-errors', '0')
  expect(restarted).toMatchObject({ code: 1, sent: 0 })
  const { code, err, sent } = await batch.runAgain('-t', 'Other: {{text}}')
  expect({ code, sent }).toEqual({ code: 2, sent: 0 })
  expect(err).toContain('is of a run with --restart and other settings: the template\n')
  expect(batch.text()).toBe(text)
  batch.writeTable(rows)
  expect(await batch.runAgain()).toMatchObject({ code: 0, sent: 4 })
})

test('results that --allow-cut took are none without it', async () => {
  await using service = await startBatchService()
  const batch = await finished(service, 'out.jsonl', ['--allow-cut'])
  batch.argv.pop()
  const { code, err, sent } = await batch.runAgain()
  expect({ code, sent }).toEqual({ code: 2, sent: 0 })
  expect(err).toContain('is of a run with other settings: --allow-cut\n')
  batch.writeTable([...rows, ['5', 'status 400']])
  expect(await batch.runAgain('--allow-cut')).toMatchObject({ code: 1, sent: 0 })
  expect(await batch.runAgain()).toMatchObject({
    code: 2,
    err: expect.stringContaining('has results of a run with --allow-cut\n') as string,
    sent: 0,
  })
})

test('an identity that is damaged in its settings is refused', async () => {
  await using service = await startBatchService()
  const batch = await finished(service, 'out.jsonl', [])
  const path = `${batch.out}.identity`
  writeFileSync(path, readFileSync(path, 'utf8').replace('"keep"', '"keeP"'))
  expect(await batch.runAgain()).toMatchObject({
    code: 2,
    err: expect.stringContaining('has no manifest') as string,
    sent: 0,
  })
})

describe('--keep', () => {
  test('of lines keeps the line, named as in a template', async () => {
    await using service = await startBatchService()
    const batch = new BatchProgram(service, ['a, "b"', 'c'])
    const { code, out } = await batch.filter('--lines', '--keep', '.', '--format', 'csv', '-t', 'S: {{.}}')
    expect({ code, rows: out.split(/\r?\n/).map((line) => line.slice(0, 6)) }).toMatchObject({
      code: 0,
      rows: ['.,answ', '"a, ""', 'c,', ''].map((start) => expect.stringContaining(start) as string),
    })
  })

  test.each([
    ['lines', ['--lines']],
    ['JSON Lines', ['--input-format', 'jsonl']],
  ])('of a column that no row of %s has is refused before anything is sent', async (_what, argv) => {
    await using service = await startBatchService()
    const batch = new BatchProgram(service, ['{"text":"a"}', '{"text":"b"}'])
    const { code, err } = await batch.file(...argv, '--keep', 'nope', '-t', 'S: {{.}}')
    expect({ code, err }).toEqual({ code: 2, err: 'syn: --keep: no row has a column named "nope"\n' })
    expect((await service.counts()).answered).toBe(0)
  })
})
