/** What came is not what was asked for: a blank text, a call that nobody offered, a marker before JSON, fewer choices. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chat } from '../../helpers/chat.ts'
import { delta, end, head, streamed, whole } from '../../helpers/chat-chunks.ts'
import { emptyFolder, type Outcome, runSyn } from '../../helpers/run-syn.ts'
import { type Answer, type Asked, startService } from '../../helpers/service.ts'

const usage = { ...head, choices: [], usage: { prompt_tokens: 10, completion_tokens: 4 } }
const blank = streamed('\n', '\n', end(), usage)
const fine = streamed('Fine.', end(), usage)
const calling = { tool_calls: [{ index: 0, id: 'a', function: { name: 'json_tool_call', arguments: '{"n":1}' } }] }
const called = streamed(delta(calling), end('tool_calls'), usage)
const schema = '{"properties":{"n":{"type":"number"}},"required":["n"]}'
const again = 'syn: the answer is empty; asking again\n'
const unoffered = 'the answer calls the tool json_tool_call, which was not offered'

/** Answers in turn, the last one to all further requests. */
async function ask(argv: readonly string[], ...answers: Answer[]): Promise<Outcome & { asked: Asked[] }> {
  await using service = await startService(...answers)
  const outcome = await runSyn(['chat', '-m', 'hf:a/b', ...argv, 'hi'], { env: service.env })
  return { ...outcome, asked: service.asked }
}

describe('a blank answer is asked for again once', () => {
  test.each<[argv: string[], answers: Answer[], requests: number, out: string, err: string]>([
    [[], [blank, fine], 2, 'Fine.\n', again],
    [['--no-stream'], [whole({ content: ' ' }), whole({ content: 'Fine.' })], 2, 'Fine.\n', again],
    [[], [blank], 2, '\n\n', `${again}syn: the answer is empty\n`],
    [['--json-object'], [blank, streamed('{}', end())], 2, '{}\n', again],
    [['--retries', '0'], [blank, fine], 1, '\n\n', 'syn: the answer is empty\n'],
    [['--allow-cut'], [blank, fine], 1, '\n\n', 'syn: the answer is empty\n'],
    [['--stop', 'x'], [blank, fine], 1, '\n\n', 'syn: the answer is empty\n'],
    [
      ['--max-tokens', '5'],
      [streamed(end('length')), fine],
      1,
      '',
      'syn: the answer is empty: the token limit was reached first; raise it with --max-tokens\n',
    ],
    [[], [streamed(delta({ refusal: 'No.' }), end()), fine], 1, '', 'syn: the answer is a refusal: No.\n'],
    [
      [],
      [streamed(end('content_filter')), fine],
      1,
      '',
      "syn: the answer was stopped by the service's content filter\n",
    ],
  ])('%j, %#', async (argv, answers, requests, out, err) => {
    const outcome = await ask(argv, ...answers)
    expect({ ...outcome, asked: outcome.asked.length }).toMatchObject({ code: 0, out, err, asked: requests })
  })

  test('--jsonl prints the chunks of one answer', async () => {
    const { out, asked } = await ask(['--jsonl'], blank, fine)
    expect({ lines: out.trimEnd().split('\n').length, requests: asked.length }).toEqual({ lines: 4, requests: 1 })
  })

  test('both requests are paid, and the conversation has the last answer', async () => {
    const HOME = emptyFolder()
    await using service = await startService(blank, fine)
    const argv = ['chat', '-m', 'hf:a/b', '-u', '-q', '--save', 'hi']
    const { err } = await runSyn(argv, { env: { ...service.env, HOME } })
    expect(err).toMatch(/^syn: 2 requests · 20 prompt \+ 8 completion tokens · /)
    const log = savedIn(HOME)
    expect(log).toContain('"content":"Fine."')
    expect(log).toContain('"usage":{"prompt_tokens":20,"completion_tokens":8},"requests":2')
    expect(log).not.toContain('"\\n\\n"')
  })

  test('-o gets the second answer, or keeps the old file', async () => {
    const path = join(emptyFolder(), 'o.txt')
    expect(await ask(['-o', path], blank)).toMatchObject({ code: 7 })
    expect(existsSync(path)).toBe(false)
    expect(await ask(['-o', path], blank, fine)).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toBe('Fine.\n')
  })
})

/** The logs of all conversations. */
function savedIn(home: string): string {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return files.map((name) => readFileSync(join(home, name), 'utf8')).join('')
}

describe('a call that nobody offered', () => {
  test.each<[argv: string[], outcome: object]>([
    [[], { code: 0, out: 'json_tool_call({"n":1})\n', err: `syn: ${unoffered}\n` }],
    [['--schema', schema], { code: 0, out: '{"n":1}\n', err: '' }],
    [
      ['--schema', '{"required":["x"]}'],
      {
        code: 1,
        out: '',
        err: `syn: ${unoffered}: the answer does not match the schema: $ must have required property 'x'\n`,
      },
    ],
    [['-o', join(emptyFolder(), 'o')], { code: 7, out: '' }],
    [
      ['--tools', '[{"type":"function","function":{"name":"json_tool_call"}}]'],
      { code: 0, out: 'json_tool_call({"n":1})\n', err: '' },
    ],
  ])('%j', async (argv, outcome) => {
    expect(await ask(argv, called)).toMatchObject(outcome)
  })

  test('several are no JSON', async () => {
    const second = { tool_calls: [{ ...calling.tool_calls[0], index: 1, id: 'b' }] }
    const answer = streamed(delta(calling), delta(second), end('tool_calls'))
    expect(await ask(['--schema', schema], answer)).toMatchObject({ code: 1, out: '' })
  })
})

describe('JSON was asked for', () => {
  test.each<[text: string, json: string | undefined]>([
    ['p|>{"n":1}', '{"n":1}'],
    ['|>{"n":1}', '{"n":1}'],
    [' ep|>\n[{"n": 1}]\n', '[{"n": 1}]'],
    ['{"n":"p|>{}"}', undefined],
    ['step|>{"n":1}', undefined],
    ['|>1', undefined],
    ['p|>{"n":1} and more', undefined],
    ['p|> {"n":', undefined],
    ['p|', undefined],
    ['The |> operator: {"n":1}', undefined],
    ['[1] see |>', undefined],
  ])('%s', async (text, json) => {
    for (const pieces of [[text], [...text]]) {
      const { code, out, err } = await chat(['--json-object', 'hi'], { answer: streamed(...pieces, end()) })
      const marker = text.slice(0, text.indexOf('>') + 1).trim()
      expect({ code, out, err }).toEqual({
        code: 0,
        out: `${json ?? text.replace(/\n$/, '')}\n`,
        err: json === undefined ? '' : `syn: left out before the JSON: ${marker}\n`,
      })
    }
  })

  test.each<[text: string, out: string, markers: string]>([
    ['{"n":1}<|close|>message<|sep|>', '{"n":1}', '<|close|>message<|sep|>'],
    ['{"n":"<|im_end|>"}\n<|im_end|>\n<|im_end|>\n', '{"n":"<|im_end|>"}', '<|im_end|> <|im_end|>'],
    ['```json\n{}\n```\n<|im_end|>', '```json\n{}\n```', '<|im_end|>'],
    ['{"n":1}<|im_end', '{"n":1}<|im_end', ''],
    ['{"n":"<|im_end|>', '{"n":"<|im_end|>', ''],
    ['7<|im_end|>', '7<|im_end|>', ''],
  ])('markers behind it: %j', async (text, out, markers) => {
    for (const pieces of [[text], [...text]]) {
      const outcome = await chat(['--json-object', 'hi'], { answer: streamed(...pieces, end()) })
      expect(outcome.code).toBe(0)
      expect(outcome.out.trimEnd()).toBe(out)
      expect(outcome.err).toBe(markers === '' ? '' : `syn: left out behind the JSON: ${markers}\n`)
    }
  })

  test.each<[text: string, json: string]>([
    ['{"n":1}<|close|>message<|sep|>', '{"n":1}'],
    ['p|>{"n":1}<|close|>response<|sep|><|close|>message<|sep|>\n', '{"n":1}'],
    ['{"n":1}<|im_end|>', '{"n":1}'],
    ['"<|im_end|>', ''],
    ['{"n":1}<|other|>', ''],
  ])('--schema: %s', async (text, json) => {
    const { code, out } = await chat(['--schema', schema, 'hi'], { answer: streamed(text, end()) })
    expect({ code, out }).toEqual(json === '' ? { code: 1, out: '' } : { code: 0, out: `${json}\n` })
  })

  test.each(['--schema', '-p'])('%s', async (flag) => {
    const value = flag === '-p' ? 'response_format={"type":"json_object"}' : schema
    expect(await chat([flag, value, 'hi'], { answer: streamed('p|', '>{"n":1}', end()) })).toMatchObject({
      code: 0,
      out: '{"n":1}\n',
      err: 'syn: left out before the JSON: p|>\n',
    })
  })

  test('without it, the text is as it came', async () => {
    const answer = streamed('p|>', '{"n":1}', end())
    expect(await chat(['hi'], { answer })).toMatchObject({ code: 0, out: 'p|>{"n":1}\n', err: '' })
  })

  test('on a terminal, too', async () => {
    const answer = streamed('p', '|>{"n":1}', end())
    const argv = ['--json-object', '--raw', '--no-color', '--no-save', 'hi']
    expect((await chat(argv, { answer, isTerminal: true })).out).toContain('{"n":1}')
    expect((await chat(argv, { answer, isTerminal: true })).out).not.toContain('|>')
  })
})

test('fewer choices than asked for are not whole', async () => {
  const two = streamed(delta('a', 0), delta('b', 1), end('stop', 0), end('stop', 1))
  const notice = 'the service sent 2 of 3 answers\n'
  expect(await ask(['--n', '3'], two)).toMatchObject({ code: 0, out: 'a\n\nb\n', err: `syn: ${notice}` })
  const path = join(emptyFolder(), 'o')
  expect(await ask(['--n', '3', '-o', path], two)).toMatchObject({
    code: 7,
    err: expect.stringContaining(`syn: ${notice}hint: use --allow-cut to take it as it is`) as string,
  })
  expect(await ask(['--n', '3', '-o', path, '--allow-cut'], two)).toMatchObject({ code: 0 })
})

describe('--repair', () => {
  const wrong = streamed('{"n":"1"}', end(), usage)
  const right = streamed('{"n":1}', end(), usage)
  const problem = 'the answer does not match the schema: $.n must be number'

  test('sends the answer back with what does not match', async () => {
    const { code, out, err, asked } = await ask(['--schema', schema, '--repair', '2', '-u'], wrong, right)
    expect({ code, out }).toEqual({ code: 0, out: '{"n":1}\n' })
    expect(err).toMatch(`syn: ${problem}; asking again (1 of 2)\nsyn: 2 requests · 20 prompt + 8 completion tokens`)
    expect(asked[1]?.json).toHaveProperty('messages', [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: '{"n":"1"}' },
      {
        role: 'user',
        content: expect.stringMatching(/^The answer does not match .*:\n\$\.n must be number\n/) as string,
      },
    ])
  })

  test('at most so many times, and not by itself', async () => {
    const failed = await ask(['--schema', schema, '--repair', '2'], wrong)
    expect({ ...failed, asked: failed.asked.length }).toMatchObject({ code: 1, out: '', asked: 3 })
    expect(failed.err).toContain(`(2 of 2)\n{"n":"1"}\nsyn: ${problem}\n`)
    expect((await ask(['--schema', schema], wrong)).asked).toHaveLength(1)
  })

  test('a blank answer that is taken does not go back', async () => {
    const { asked } = await ask(['--schema', schema, '--repair', '1', '--allow-cut'], streamed('\n\n', end()), right)
    expect(JSON.stringify(asked[1]?.json)).not.toContain('assistant')
    expect(asked).toHaveLength(2)
  })

  test('at most ten problems, a line each', async () => {
    const items = JSON.stringify(Array.from({ length: 12 }, () => 'a'))
    const { asked } = await ask(['--schema', '{"items":{"type":"number"}}', '--repair', '1'], streamed(items, end()))
    const sent = JSON.stringify(asked[1]?.json)
    expect({ nine: sent.includes('$[9] must be number'), ten: sent.includes('$[10] must') }).toEqual({
      nine: true,
      ten: false,
    })
  })

  test('--max-cost stops it', async () => {
    const list: Answer = (asked, response) =>
      asked.method === 'GET'
        ? void response.end('{"data":[{"id":"hf:a/b","pricing":{"prompt":"0.01","completion":"0.01"}}]}')
        : wrong(asked, response)
    const { code, err, asked } = await ask(['--schema', schema, '--repair', '2', '--max-cost', '0.2'], list)
    expect({ code, requests: asked.filter(({ method }) => method === 'POST').length }).toEqual({ code: 1, requests: 1 })
    expect(err).toContain('syn: not asked again: stopped at --max-cost $0.2')
  })

  test('the conversation has the last answer', async () => {
    const HOME = emptyFolder()
    await using service = await startService(wrong, right)
    const argv = ['chat', '-m', 'hf:a/b', '--schema', schema, '--repair', '1', '--save', 'hi']
    await runSyn(argv, { env: { ...service.env, HOME } })
    expect(savedIn(HOME)).not.toContain('must be number')
    expect(savedIn(HOME)).toContain('"requests":2')
  })

  test('needs a schema', async () => {
    expect(await ask(['--repair', '1'], right)).toMatchObject({ code: 2, err: 'syn: --repair needs --schema\n' })
  })
})
