import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readStatus } from '../../src/batch/journal/status.ts'
import { requestHash, runBatch } from '../helpers/batch-run.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { share } from '../helpers/samples.ts'

const lines = ['a', 'b', 'c', 'd']

test('a killed run says what may be paid for twice, and goes on', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { killAfter: 3 })
  const { sent, notices } = await runBatch(path, lines)
  expect(sent).toEqual(['d'])
  expect(notices).toEqual([
    '3 of 4 rows are done',
    'the last run was killed: up to 8 requests in flight then may be paid for twice',
  ])
})

test.each([
  ['the template', { template: 'T' }],
  ['the schema', { template: 'T', manifest: { template: null, schema: 's' } }],
  ['the model', { template: 'T', manifest: { template: null, model: { requested: 'm', stands_for: 'm' } } }],
  ['temperature', { template: 'T', manifest: { template: null, fields: { temperature: 'p' } } }],
])('with requests that changed with %s it does not go on, except with --restart', async (part, changed) => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { killAfter: 3 })
  const before = readFileSync(`${path}.partial`, 'utf8')
  await expect(runBatch(path, lines, changed)).rejects.toThrow(
    `all 3 requests changed: ${part} is not that of ${path}.partial`,
  )
  expect(readFileSync(`${path}.partial`, 'utf8')).toBe(before)
  expect((await runBatch(path, lines, { ...changed, restart: true })).sent).toEqual(lines)
})

test('another base URL is another service', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { killAfter: 3 })
  const other = { manifest: { base_url: 'http://localhost:1' } }
  await expect(runBatch(path, lines, other)).rejects.toThrow(
    `the results in ${path}.partial are from another base URL: https://api.example`,
  )
})

test('other options that change no request, and an alias with another model, are no hindrance', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { killAfter: 3 })
  const { sent, notices } = await runBatch(path, lines, {
    manifest: { fields: { temperature: 'p' }, model: { requested: 'syn:large:text', stands_for: 'hf:newer' } },
  })
  expect(sent).toEqual(['d'])
  expect(notices).toContain('syn:large:text was hf:large in the last run, and is hf:newer now')
})

test('with edited input, only the new lines are sent', async () => {
  const path = join(emptyFolder(), 'out.txt')
  await runBatch(path, lines, { killAfter: 4 })
  const { sent } = await runBatch(path, ['new', 'd', 'c', 'c', 'a'], { format: { type: 'text' } })
  expect(sent).toEqual(['new', 'c'])
  expect(readFileSync(path, 'utf8')).toBe('answer to new\nanswer to d\nanswer to c\nanswer to c\nanswer to a\n')
})

test('the results of removed lines stay in the journal until the lines are there again', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { killAfter: 4 })
  for (const [rest, notice] of [
    [['a', 'b', 'c'], '1 recorded result belongs to no row of this run'],
    [['b'], '3 recorded results belong to no row of this run'],
  ] as const) {
    const { sent, notices } = await runBatch(path, rest)
    expect(sent).toEqual([])
    expect(notices).toContain(notice)
    expect(readdirSync(join(path, '..'))).toEqual(['out.jsonl', 'out.jsonl.identity', 'out.jsonl.partial'])
    await expectWhole(path, rest)
  }
  expect((await runBatch(path, lines)).sent).toEqual([])
  expect(readdirSync(join(path, '..'))).toEqual(['out.jsonl', 'out.jsonl.identity'])
  await expectWhole(path)
})

test('a torn line is cut off, and a damaged one is ignored', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { killAfter: 3 })
  const journal = readFileSync(`${path}.partial`, 'utf8').split('\n')
  // As after a power failure: a block that was not written, and a line that was cut.
  journal[2] = `${journal[2]?.slice(0, 60) ?? ''}${'\0'.repeat(100)}"}`
  writeFileSync(`${path}.partial`, journal.join('\n'))
  appendFileSync(`${path}.partial`, 'no record\n{"sum":"0123abcd","line":4,"hash":"')
  const { sent, notices, warnings } = await runBatch(path, lines)
  expect(sent).toEqual(['b', 'd'])
  expect(notices).toContain('the last line of the journal was incomplete, and is removed')
  expect(warnings).toEqual([`${path}.partial: 2 lines are damaged; the rows are sent again`])
  await expectWhole(path)
})

const long = 'x'.repeat(100_000)

/** How a record is damaged, and how many rows that concerns. */
const damages: [string, (records: string[]) => string[], number][] = [
  ['cut inside its result, and ends with }', ([a = '', ...others]) => [`${a.slice(0, -9)}}`, ...others], 1],
  ['joined to the next one', ([a = '', b = '', ...others]) => [`${a}${b}`, ...others], 2],
  ['joined to the end of another', ([a = '', b = '', ...others]) => [`${a}${b.slice(40)}`, ...others], 2],
  ['of another shape', ([a = '', ...others]) => [a.replace(/"result":.*/, '"result":[]}'), ...others], 1],
  ['that is long', (records) => records.map((record) => record.replace(/xx"/, 'xx')), 1],
]

test.each(damages)('a record %s is no result: its row is sent again', async (_how, damage, rows) => {
  const path = join(emptyFolder(), 'out.jsonl')
  const input = ['a', 'b', 'c', long]
  await runBatch(path, input, { killAfter: 4 })
  const [manifest = '', ...records] = readFileSync(`${path}.partial`, 'utf8').trimEnd().split('\n')
  writeFileSync(`${path}.partial`, `${[manifest, ...damage(records)].join('\n')}\n`)
  const { sent, warnings } = await runBatch(path, input)
  expect(sent).toHaveLength(rows)
  expect(warnings).toEqual([`${path}.partial: 1 line is damaged; the rows are sent again`])
  await expectWhole(path, input)
})

test('a flipped bit anywhere in a record is found, and its row is sent again', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'out.jsonl')
  const whole = join(folder, 'whole.jsonl')
  await runBatch(whole, lines)
  await runBatch(path, lines, { killAfter: 4 })
  const journal = readFileSync(`${path}.partial`)
  const [start, end] = [journal.indexOf('\n') + 1, journal.indexOf('\n', journal.indexOf('"line":2'))]
  const bytes = Array.from({ length: end - start }, (_, index) => start + index)
  // Between two records, and a part of the bytes, each bit equally often.
  for (const at of [...share(bytes, 0, 11), end]) {
    const damaged = Buffer.from(journal)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
    writeFileSync(`${path}.partial`, damaged)
    const { sent, warnings } = await runBatch(path, lines)
    expect({ at, sent, warnings }).toMatchObject({
      sent: expect.arrayContaining([expect.stringMatching(/[ab]/)]) as string[],
      warnings: [expect.stringMatching(/damaged; the rows are sent again/)],
    })
    expect(readFileSync(path).equals(readFileSync(whole))).toBe(true)
    rmSync(path)
  }
})

test('hashes that were exchanged put no answer on another row', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { killAfter: 2 })
  const [a, b] = [requestHash('a'), requestHash('b')]
  const text = readFileSync(`${path}.partial`, 'utf8')
  writeFileSync(`${path}.partial`, text.replace(a, '-').replace(b, a).replace('-', b))
  const { sent, warnings } = await runBatch(path, lines)
  expect(sent).toEqual(lines)
  expect(warnings).toEqual([`${path}.partial: 2 lines are damaged; the rows are sent again`])
  await expectWhole(path)
})

test.each(['', '{"sy', '{"syn":"1.2.3","journal":2,"sta'])(
  'killed when the journal began with %j, it starts again',
  async (start) => {
    const path = join(emptyFolder(), 'out.jsonl')
    writeFileSync(`${path}.partial`, start)
    expect((await runBatch(path, lines)).sent).toEqual(lines)
    await expectWhole(path)
  },
)

test('a file of something else in place of the journal is not touched', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  writeFileSync(`${path}.partial`, '# An answer\n')
  await expect(runBatch(path, lines)).rejects.toThrow(`${path}.partial is not a journal of syn batch`)
  expect(readFileSync(`${path}.partial`, 'utf8')).toBe('# An answer\n')
  mkdirSync(`${path}2.partial`)
  await expect(runBatch(`${path}2`, lines)).rejects.toThrow('is a directory')
})

test('a journal of another version of syn, with another format, is not touched', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  const journal = '{"syn":"7.0.0","journal":7,"base":"x"}\n{"n":1}\n'
  writeFileSync(`${path}.partial`, journal)
  const message = `${path}.partial has no manifest of this version of syn`
  await expect(runBatch(path, lines)).rejects.toThrow(message)
  await expect(readStatus(path)).rejects.toThrow(message)
  expect(readFileSync(`${path}.partial`, 'utf8')).toBe(journal)
  expect((await runBatch(path, lines, { restart: true })).sent).toEqual(lines)
})

test('an empty output is none', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  writeFileSync(path, '')
  expect((await runBatch(path, lines)).sent).toEqual(lines)
})

test('whole results and no journal: nothing is sent', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines)
  expect((await runBatch(path, ['other'])).sent).toEqual([])
  await expectWhole(path)
})

/** Makes the files that a kill leaves, in a folder with the files before the end of the run, and after it. */
const kills: [string, (before: string, after: string) => void][] = [
  ['before the results are written', () => undefined],
  ['while they are written', (before) => writeFileSync(join(before, 'out.jsonl.partial-output'), '{"id"')],
  [
    'before the errors are renamed',
    (before, after) => {
      cpSync(join(after, 'out.jsonl'), join(before, 'out.jsonl.partial-output'))
      cpSync(join(after, 'out.errors.jsonl'), join(before, 'out.jsonl.partial-errors'))
    },
  ],
  [
    'after it',
    (before, after) => {
      cpSync(join(after, 'out.jsonl'), join(before, 'out.jsonl.partial-output'))
      cpSync(join(after, 'out.errors.jsonl'), join(before, 'out.errors.jsonl'))
    },
  ],
  [
    'after the results are renamed',
    (before, after) => {
      cpSync(join(after, 'out.jsonl'), join(before, 'out.jsonl'))
      cpSync(join(after, 'out.errors.jsonl'), join(before, 'out.errors.jsonl'))
    },
  ],
]

test.each(kills)('killed %s, the same command ends in the same files', async (_when, kill) => {
  const [before, after] = [emptyFolder(), emptyFolder()]
  const failing = new Set(['b'])
  await runBatch(join(after, 'out.jsonl'), lines, { failing })
  cpSync(join(after, 'out.jsonl.partial'), join(before, 'out.jsonl.partial'))
  kill(before, after)
  expect((await runBatch(join(before, 'out.jsonl'), lines, { failing })).sent).toEqual(['b'])
  expect(readdirSync(before).sort()).toEqual([
    'out.errors.jsonl',
    'out.jsonl',
    'out.jsonl.identity',
    'out.jsonl.partial',
  ])
  for (const name of ['out.errors.jsonl', 'out.jsonl']) {
    expect(readFileSync(join(before, name), 'utf8')).toBe(readFileSync(join(after, name), 'utf8'))
  }
})

test('killed after the old errors were removed, or the results renamed: the journal is still there', async () => {
  for (const hasOutput of [false, true]) {
    const folder = emptyFolder()
    const path = join(folder, 'out.jsonl')
    await runBatch(path, lines, { killAfter: 4 })
    if (hasOutput) {
      renameSync(`${path}.partial`, join(folder, 'kept'))
      await runBatch(path, lines)
      renameSync(join(folder, 'kept'), `${path}.partial`)
    }
    expect((await runBatch(path, lines)).sent).toEqual([])
    await expectWhole(path)
    expect(readdirSync(folder)).toEqual(['out.jsonl', 'out.jsonl.identity'])
  }
})

test('a journal of a million damaged bytes without a line end costs no memory, and is no journal', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { killAfter: 2 })
  appendFileSync(`${path}.partial`, 'x'.repeat(3_000_000))
  expect((await runBatch(path, lines)).sent).toEqual(['c', 'd'])
  await expectWhole(path)
})

async function expectWhole(path: string, input: readonly string[] = lines): Promise<void> {
  const whole = join(emptyFolder(), 'whole.jsonl')
  await runBatch(whole, input)
  expect(readFileSync(path, 'utf8')).toBe(readFileSync(whole, 'utf8'))
}
