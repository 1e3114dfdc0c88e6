/** Rows whose answers are not what was asked for: the codes of their errors, and which are sent again. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BatchProgram } from '../helpers/batch-program.ts'
import { delta, end, head, streamed } from '../helpers/chat-chunks.ts'
import { type Answer, json, type Service, startService } from '../helpers/service.ts'

const usage = { ...head, choices: [], usage: { prompt_tokens: 10, completion_tokens: 4 } }
const calling = {
  tool_calls: [{ index: 0, id: 'a', function: { name: 'json_tool_call', arguments: '{"n":1,"s":"x"}' } }],
}
const schema = '{"properties":{"n":{"type":"number"},"s":{}},"required":["n"]}'

/** By the prompt; the second text to a request that follows another one for the same row. */
const answers: Readonly<Record<string, Answer>> = {
  blank: streamed('\n', end(), usage),
  'blank at first': streamed('\n', end(), usage),
  refusal: streamed(delta({ refusal: 'No.' }), end(), usage),
  'ended by a refusal': streamed(end('refusal'), usage),
  'filtered in the middle': streamed('{"n":', end('content_filter'), usage),
  filtered: streamed(end('content_filter'), usage),
  call: streamed(delta(calling), end('tool_calls'), usage),
  marker: streamed('p|>{"n":2,"s":"y"}', end(), usage),
  wrong: streamed('{"n":"1"}', end(), usage),
  cut: streamed('{"n":', end('length'), usage),
}
const fine = streamed('{"n":3,"s":"z"}', end(), usage)

function startRows(): Promise<Service> {
  const seen = new Set<string>()
  return startService((asked, response) => {
    if (asked.method === 'GET') return json({})(asked, response)
    const { messages } = asked.json as { messages: { content: string }[] }
    const { content: prompt = '' } = messages[0] ?? {}
    const isSecond = messages.length > 1 || (prompt === 'blank at first' && seen.has(prompt))
    seen.add(prompt)
    return (isSecond ? fine : (answers[prompt] ?? fine))(asked, response)
  })
}

const run = ['-m', 'hf:a/b', '--jobs', '1'] as const

describe('the code of the error', () => {
  test.each<[prompt: string, argv: string[], code: string | undefined, requests: number]>([
    ['blank', [], 'empty', 2],
    ['blank', ['--retries', '0'], 'empty', 1],
    ['blank', ['--stop', 'x'], 'empty', 1],
    ['blank at first', [], undefined, 2],
    ['refusal', [], 'refused', 1],
    ['ended by a refusal', [], 'refused', 1],
    ['filtered', [], 'filtered', 1],
    ['filtered in the middle', ['--schema', schema, '--repair', '1'], 'filtered', 1],
    ['cut', [], 'token_limit', 1],
    ['call', [], 'unoffered_call', 1],
    ['call', ['--schema', schema], undefined, 1],
    ['call', ['--schema', '{"required":["x"]}'], 'unoffered_call', 1],
    ['marker', ['--schema', schema], undefined, 1],
    ['wrong', ['--schema', schema], 'schema_mismatch', 1],
    ['wrong', ['--schema', schema, '--repair', '1'], undefined, 2],
    ['any', ['--n', '2'], 'missing_choices', 1],
  ])('%s, %j', async (prompt, argv, code, requests) => {
    await using service = await startRows()
    const batch = new BatchProgram(service, [prompt])
    await batch.file(...run, ...argv)
    const [row] = code === undefined ? batch.rows() : batch.errors()
    const sent = service.asked.filter(({ method }) => method === 'POST').length
    const record = readFileSync(`${batch.output}.answers`, 'utf8')
    expect({ code: row?.code, sent }).toEqual({ code, sent: requests })
    expect(record).toContain(`"attempts":${requests},`)
    expect(record).toContain(`"usage":{"prompt_tokens":${10 * requests},"completion_tokens":${4 * requests}}`)
  })
})

test('columns of a schema have the arguments of a call, and JSON behind a marker', async () => {
  await using service = await startRows()
  const batch = new BatchProgram(service, ['call', 'marker', 'any'])
  await batch.run([batch.input, ...run, '--schema', schema, '-o', batch.path('out.csv')])
  expect(readFileSync(batch.path('out.csv'), 'utf8')).toBe('n,s\n1,x\n2,y\n3,z\n')
  expect(await batch.filter(...run, '--schema', schema)).toMatchObject({
    code: 0,
    out: '{"n":1,"s":"x"}\n{"n":2,"s":"y"}\n{"n":3,"s":"z"}\n',
  })
})

test('--retry-empty sends blank rows again, and none that were refused', async () => {
  await using service = await startRows()
  const batch = new BatchProgram(service, ['blank', 'refusal', 'filtered', 'any'])
  const sent = async (...argv: string[]): Promise<{ sent: number; err: string }> => {
    const before = service.asked.length
    const { err } = await batch.file(...run, '--retries', '0', ...argv)
    return { sent: service.asked.slice(before).filter(({ method }) => method === 'POST').length, err }
  }
  const hint = '--retry-empty sends the empty ones again; --allow-cut takes them as they are'
  expect(await sent()).toMatchObject({ sent: 4, err: expect.stringContaining(hint) as string })
  expect(await sent('--max-tokens', '99')).toMatchObject({ sent: 0 })
  expect(await sent('--retry-empty')).toMatchObject({ sent: 1 })
  expect(await sent('--retry-empty')).toMatchObject({ sent: 1 })
})

test('fewer choices keep the form of several', async () => {
  await using service = await startRows()
  const batch = new BatchProgram(service, ['any'])
  expect(await batch.filter(...run, '--n', '2', '--allow-cut')).toMatchObject({
    out: '["{\\"n\\":3,\\"s\\":\\"z\\"}"]\n',
  })
})
