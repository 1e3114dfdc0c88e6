/** `syn batch --fallback=MODEL`: for one row, after its last attempt. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leapingNow } from '../helpers/clock.ts'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { type Answer, type Asked, chatAnswer, events, json, startService, type Service } from '../helpers/service.ts'

const price = (dollars: string): object => ({ pricing: { prompt: dollars, completion: dollars } })
const listed = {
  data: [
    { id: 'hf:a/one', ...price('$1') },
    { id: 'hf:b/two', ...price('$0.01') },
  ],
}

interface Request {
  model: string
  messages: { content: string }[]
}

const busy = (status: number): Answer => json({ error: 'busy' }, status)
const bodyOf = ({ json: body }: Asked): Request => body as Request

/** @param answer `undefined`: an answer. */
function serve(answer: (request: Request) => Answer | undefined): Promise<Service> {
  return startService((asked, response) => {
    if (asked.method === 'GET') return json(listed)(asked, response)
    return (answer(bodyOf(asked)) ?? events(chatAnswer(['Hello'])))(asked, response)
  })
}

async function batch(service: Service, rows: readonly string[], ...flags: string[]) {
  const folder = emptyFolder()
  const [input, output] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')]
  writeFileSync(input, rows.map((row) => (row.startsWith('{') ? row : JSON.stringify({ prompt: row }))).join('\n'))
  const options = { env: { ...service.env, HOME: folder }, now: leapingNow() }
  const argv = ['batch', '--retries', '1', '-m', 'hf:a/one', ...flags, '-o', output, input]
  const outcome = await runSyn(argv, options)
  const store = readFileSync(`${output}.answers`, 'utf8').split('\n')
  const records = store.flatMap((line) =>
    line.includes('"attempts"') ? [JSON.parse(line) as { requested?: string }] : [],
  )
  const models = service.asked.filter(({ method }) => method === 'POST').map((one) => bodyOf(one).model)
  const again = async (): Promise<Outcome> => runSyn(argv, options)
  return { ...outcome, records, models, again }
}

const twenty = Array.from({ length: 20 }, (_, index) => `q${index}`)
const two = '--fallback=hf:b/two'

test('status 502 of a model that is down: all rows are answered by the other, and counted with its price', async () => {
  await using service = await serve(({ model }) => (model === 'hf:a/one' ? busy(502) : undefined))
  const { code, err, records, models, again } = await batch(service, twenty, two)
  expect(code).toBe(0)
  expect(err.match(/using hf:b\/two instead of hf:a\/one/g)).toHaveLength(1)
  expect(err).not.toContain('unavailable')
  expect(err).toContain(' · $1.00 in this run · ')
  expect(records.map(({ requested }) => requested)).toEqual(twenty.map(() => 'hf:b/two'))
  expect(models.filter((model) => model === 'hf:b/two')).toHaveLength(20)
  // The answers are those of the same rows: nothing is sent again.
  expect((await again()).code).toBe(0)
  expect(service.asked.filter(({ method }) => method === 'POST')).toHaveLength(models.length)
})
test('a row on which the model fails each time is answered by the other, and no other row is', async () => {
  await using service = await serve(({ model, messages }) =>
    model === 'hf:a/one' && messages[0]?.content === 'q7' ? busy(503) : undefined,
  )
  const { code, err, records, models } = await batch(service, twenty, '--jobs', '1', two)
  expect({ code, two: models.filter((model) => model === 'hf:b/two') }).toEqual({ code: 0, two: ['hf:b/two'] })
  expect(records.filter(({ requested }) => requested !== undefined)).toHaveLength(1)
  expect(err).toContain(' · $95.05 in this run · ')
})

test('the model that a row names is not replaced', async () => {
  await using service = await serve(({ model }) => (model === 'hf:c/own' ? busy(503) : undefined))
  const rows = ['a', '{"prompt":"b","model":"hf:c/own"}']
  const { code, models } = await batch(service, rows, '--jobs', '1', two)
  expect({ code, models: new Set(models) }).toEqual({ code: 1, models: new Set(['hf:a/one', 'hf:c/own']) })
})

test('a removed model is replaced by the next one that is there, for the run', async () => {
  const gone = json({ error: 'No such model' }, 404)
  await using service = await serve(({ model }) => (model === 'hf:b/two' ? undefined : gone))
  const { code, err, models } = await batch(service, twenty, '--jobs', '1', '--fallback=hf:c/gone', two)
  expect(code).toBe(0)
  expect(models.slice(0, 3)).toEqual(['hf:a/one', 'hf:c/gone', 'hf:b/two'])
  expect(new Set(models.slice(3))).toEqual(new Set(['hf:b/two']))
  expect(err.match(/using/g)).toHaveLength(2)
})
