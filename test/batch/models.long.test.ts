/** `syn batch -m A -m B`: each row is asked of each model once, whatever happens to the runs. */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BatchProgram } from '../helpers/batch-program.ts'
import { streamed } from '../helpers/chat-chunks.ts'
import { json, startService } from '../helpers/service.ts'

const rows = 500
const models = ['hf:a/one', 'hf:b/two'] as const
const labelOf = (row: number): string => ['good', 'bad', 'fine'][row % 3] ?? ''

/** What a model answers: the first is wrong in every fifth row, the second in every fourth, and fails in every second. */
function answerOf(model: string, row: number): string | undefined {
  if (model === models[0]) return row % 5 === 0 ? 'other' : `**${labelOf(row)}.**`
  return row % 2 === 0 ? undefined : row % 4 === 1 ? 'other' : labelOf(row).toUpperCase()
}

/** Reads the output as its users do. */
const script = `
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline='')))
print(json.dumps([len(rows)] + [[sum(r[m] != '' for r in rows), sum(r[m + '.ok'] == 'true' for r in rows)] for m in sys.argv[2:]]))
`

test('runs that are killed three times ask for no answer twice, and count what Python counts', async () => {
  const answered = new Map<string, number>()
  let left = 0
  await using service = await startService((asked, response) => {
    if (asked.json === undefined) return json({})(asked, response)
    // The run is killed while it waits for this.
    if (left-- <= 0) return
    const { messages, model } = asked.json as { messages: { content: string }[]; model: string }
    const row = Number(messages.at(-1)?.content.replace('Row ', ''))
    const text = answerOf(model, row)
    if (text === undefined) return json({ error: 'no' }, 400)(asked, response)
    answered.set(`${model} ${row}`, (answered.get(`${model} ${row}`) ?? 0) + 1)
    return streamed(text)(asked, response)
  })
  const batch = new BatchProgram(service)
  const [table, output] = [batch.path('in.csv'), batch.path('out.csv')]
  const all = Array.from({ length: rows }, (_, row) => row)
  writeFileSync(table, `n,label\n${all.map((row) => `${row},${labelOf(row)}\n`).join('')}`)
  const asking = models.flatMap((model) => ['-m', model])
  const argv = [table, ...asking, '-t', 'Row {{n}}', '--keep', 'n', '--expect', 'label', '-o', output]
  const sending = [...argv, '--jobs', '8', '--max-errors', '100%']
  const records = (): number =>
    batch.exists('out.csv.answers') ? readFileSync(`${output}.answers`, 'latin1').split('"hash"').length - 1 : 0
  for (const answers of [90, 300, 400]) {
    const before = records()
    left = answers
    const run = batch.start(sending)
    await expect.poll(records, { timeout: 60_000, interval: 20 }).toBe(before + answers)
    run.child.kill('SIGKILL')
    await run.ended
  }
  left = Infinity
  const { code, err } = await batch.run([...sending, '--progress', 'jsonl'])
  const cells = models.flatMap((model) =>
    all.filter((row) => answerOf(model, row) !== undefined).map((row) => `${model} ${row}`),
  )
  expect(code).toBe(1)
  expect(err).toContain(`${2 * rows - cells.length} of 1,000 requests failed`)
  expect([...answered.values()].every((times) => times === 1)).toBe(true)
  expect([...answered.keys()].sort()).toEqual(cells.sort())
  const counts = models.map((model) => {
    const texts = all.map((row) => [row, answerOf(model, row)] as const).filter(([, text]) => text !== undefined)
    return [texts.length, texts.filter(([row, text]) => text?.toLowerCase().includes(labelOf(row))).length] as const
  })
  const differ = all.filter(
    (row) =>
      !answerOf(models[1], row)
        ?.toLowerCase()
        .includes(row % 5 === 0 ? 'other' : labelOf(row)),
  ).length
  expect(JSON.parse(execFileSync('python3', ['-c', script, output, ...models], { encoding: 'utf8' }))).toEqual([
    rows,
    ...counts,
  ])
  const scores = (JSON.parse(err.split('\n').findLast((line) => line.startsWith('{')) ?? '') as { expect: object[] })
    .expect
  expect(scores).toMatchObject([
    { model: models[0], right: counts[0]?.[1], rows },
    { model: models[1], right: counts[1]?.[1], rows, differ, from: models[0] },
  ])
  const errors = readFileSync(`${output}.errors.jsonl`, 'utf8').trim().split('\n')
  expect(new Set(errors.map((line) => (JSON.parse(line) as { model: string }).model))).toEqual(new Set([models[1]]))
  left = 0
  expect(await batch.run([...argv, '--offline', '--pass', '90%'])).toMatchObject({ code: 1 })
  expect(await batch.run([table, '-m', models[0], ...argv.slice(5), '--offline', '--pass', '80%'])).toMatchObject({
    code: 0,
  })
  expect(await batch.run([table, '-m', models[0], ...argv.slice(5), '--offline', '--pass', '81%'])).toMatchObject({
    code: 8,
  })
  expect(left).toBe(0)
})
