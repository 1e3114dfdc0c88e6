/** Numbers of rows and answers that are only passed on keep their text. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, type Answer, startService } from '../helpers/service.ts'

const row = '{"id":12345678901234567890,"large":1e400,"half":1.50,"text":"a"}'
const schema = '{"type":"object","properties":{"id":{"type":"integer"},"rate":{"type":"number"}}}'

/** Echoes the prompt, or answers with this text. */
function answering(text?: string): Answer {
  return ({ json }, response) => {
    if (json === undefined) return void response.writeHead(404).end()
    const { messages } = json as { messages: { content: string }[] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(chatAnswer([text ?? messages.at(-1)?.content ?? '']))
  }
}

async function batch(argv: string[], answer = answering()): Promise<string> {
  const folder = emptyFolder()
  const [input, output] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')]
  writeFileSync(input, `${row}\n`)
  await using service = await startService(answer)
  const outcome = await runSyn(['batch', input, '-o', output, ...argv], { env: service.env })
  expect(outcome).toMatchObject({ code: 0 })
  return readFileSync(output, 'utf8')
}

test.each([
  ['{{id}} {{large}} {{half}} {{text}}', '12345678901234567890 1e400 1.50 a'],
  ['{{.}}', row],
])('in a template: %s', async (template, text) => {
  expect(await batch(['-t', template, '--keep', 'text'])).toBe(`${JSON.stringify({ text: 'a', answer: text })}\n`)
})

test('in columns that are kept, and in those of a schema', async () => {
  const answer = answering('{"id": 98765432109876543210, "rate": 0.10}')
  expect(await batch(['-t', '{{text}}', '--keep', 'half,large', '--schema', schema], answer)).toBe(
    '{"half":1.50,"large":1e400,"id":98765432109876543210,"rate":0.10}\n',
  )
})

test('a request with such a number in a column of data is sent, and one with it in a field is refused', async () => {
  const folder = emptyFolder()
  const [input, output] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')]
  await using service = await startService(answering())
  const run = (text: string): ReturnType<typeof runSyn> => {
    writeFileSync(input, `${text}\n`)
    return runSyn(['batch', '-q', input, '--keep', 'id', '-o', output], { env: service.env })
  }
  expect(await run('{"prompt":"hi","seed":12345678901234567890}')).toMatchObject({
    code: 2,
    err: expect.stringContaining('seed: 12345678901234567890 is not accepted; expected a whole number') as string,
  })
  expect(service.asked.filter(({ method }) => method === 'POST')).toEqual([])
  expect(await run('{"prompt":"hi","temperature":1.50,"id":12345678901234567890}')).toMatchObject({ code: 0, err: '' })
  expect(service.asked.find(({ json }) => json !== undefined)?.json).toMatchObject({ temperature: 1.5 })
  expect(readFileSync(output, 'utf8')).toBe('{"id":12345678901234567890,"answer":"hi"}\n')
})
