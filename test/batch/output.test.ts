import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerText, columnsOf, lineOf } from '../../src/batch/output/printer.ts'
import { checkBatchFiles } from '../../src/batch/answers/files.ts'
import type { Json } from '../../src/io/json/json.ts'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService } from '../helpers/batch-service.ts'
import { streamed } from '../helpers/chat-chunks.ts'
import { expectMode, isUnix } from '../helpers/modes.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

/** Runs lines whose answers are these prompts themselves. @returns the output. */
async function echoed(lines: readonly string[], name: string, ...argv: string[]): Promise<string> {
  await using service = await startService((asked, response) => {
    if (asked.json === undefined) return json({})(asked, response)
    const { messages } = asked.json as { messages: { content: string }[] }
    const { content = '' } = messages.at(-1) ?? {}
    return (content.includes('lost') ? json({ error: 'no' }, 400) : streamed(content))(asked, response)
  })
  const batch = new BatchProgram(service, lines)
  await batch.filter('-m', 'hf:a', '--input-format', 'jsonl', '-o', batch.path(name), ...argv)
  return readFileSync(batch.path(name), 'utf8')
}

test('the results are in the order of the input, in the shape of OpenAI', async () => {
  await using service = await startBatchService({ latency: [0, 20] })
  const batch = new BatchProgram(service, ['a', ...prompts(9), 'a'])
  expect(await batch.file('--jobs', '8')).toMatchObject({ code: 0 })
  expect(batch.rows()).toMatchObject(
    ['a', ...prompts(9), 'a'].map((text, at) => ({ id: `line-${at + 1}`, text: batchAnswer(text) })),
  )
  const [first = '', ...others] = readFileSync(batch.output, 'utf8').trimEnd().split('\n')
  const id = 'batch_req_ca978112ca1bbdcafac231b3'
  expect(first).toMatch(
    /^\{"id":"batch_req_ca978112ca1bbdcafac231b3","custom_id":"line-1","response":\{"status_code":200,"body":\{.*\}\},"error":null\}$/,
  )
  expect(others.at(-1)).toBe(first.replace('line-1', 'line-11'))
  expect(others[0]).not.toContain(id)
})

test('rows that fail are in the errors file, which goes when none does', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['{"prompt":"a"}', '{"prompt":"status 400 once"}', '{"x":1}'])
  const argv = ['--input-format', 'jsonl', '--skip-invalid']
  const failed = await batch.file(...argv)
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('2 of 3 rows failed') as string })
  expect(batch.rows().map(({ id }) => id)).toEqual(['line-1'])
  const code = 'invalid_request'
  expect(batch.errors()).toMatchObject([
    { id: 'line-2', code: 'http_400' },
    { id: 'line-3', code },
  ])
  const text = readFileSync(batch.path('out.errors.jsonl'), 'utf8')
  expect(text).toMatch(/"custom_id":"line-3","response":null,"error":\{"code":"invalid_request","message":".*"\}\}\n$/)
  const again = await batch.file(...argv)
  expect(again).toMatchObject({
    code: 1,
    err: expect.stringContaining('1 of 3 rows failed, the last one with: ') as string,
  })
  expect(batch.rows().map(({ id }) => id)).toEqual(['line-1', 'line-2'])
  expect(batch.errors()).toMatchObject([{ id: 'line-3', code }])
  batch.write(['{"prompt":"a"}', '{"prompt":"status 400 once"}'])
  expect(await batch.file(...argv)).toMatchObject({ code: 0 })
  expect(readdirSync(batch.folder).sort()).toEqual(['in.txt', 'out.jsonl', 'out.jsonl.answers'])
})

test('answers that are empty or cut off fail their rows, with their text in the errors file', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['a', 'needs 20 tokens', 'b', 'no text'])
  expect(await batch.file('--max-tokens', '10')).toMatchObject({ code: 1 })
  expect(batch.rows().map(({ id }) => id)).toEqual(['line-1', 'line-3'])
  expect(batch.errors()).toEqual([
    { id: 'line-2', code: 'token_limit', text: batchAnswer('needs 20 tokens') },
    { id: 'line-4', code: 'empty', text: '' },
  ])
  const message = 'the answer was cut off at the token limit; raise it with --max-tokens'
  expect(readFileSync(batch.path('out.errors.jsonl'), 'utf8')).toContain(`"message":"${message}"`)
  const { code, out, err } = await batch.filter('--max-tokens', '10')
  expect({ code, out }).toEqual({ code: 1, out: `${batchAnswer('a')}\n\n${batchAnswer('b')}\n\n` })
  expect(err).toContain(`line 2: ${message}\n`)
  expect(await batch.filter('--max-tokens', '10', '--allow-cut')).toMatchObject({ code: 0 })
})

test('as text, a line for each row', async () => {
  const lines = ['lost', 'b\r\nc', 'd'].map((prompt) => JSON.stringify({ prompt }))
  expect(await echoed(lines, 'out.txt')).toBe('\n"b\\r\\nc"\nd\n')
})

test('as CSV or JSON Lines with columns of the input', async () => {
  const lines = ['{"title":"A, b","n":1}', '{"title":"\\"x\\"\\ny","n":[2]}', '{"title":"lost"}']
  const argv = ['-t', '{{title}}', '--keep', 'title,n']
  expect(await echoed(lines, 'o.csv', ...argv)).toBe(
    'title,n,answer\n"A, b",1,"A, b"\n"""x""\ny",[2],"""x""\ny"\nlost,,\n',
  )
  const rows = await echoed(lines, 'o.jsonl', ...argv)
  expect(rows).toBe('{"title":"A, b","n":1,"answer":"A, b"}\n{"title":"\\"x\\"\\ny","n":[2],"answer":"\\"x\\"\\ny"}\n')
})

// An empty answer in the only column is no blank line, which readers of CSV skip.
test.each([
  ['{"word":{},"count":{}}', 'word,count\n"a, b",\n,\n'],
  ['{"word":{}}', 'word\n"a, b"\n""\n'],
])('the properties of a schema are columns: %s', async (properties, text) => {
  const lines = ['{"word":"a, b"}', '{}'].map((prompt) => JSON.stringify({ prompt }))
  expect(await echoed(lines, 'o.csv', '--schema', `{"properties":${properties}}`)).toBe(text)
})

test('two columns of one name are refused', () => {
  expect(() => columnsOf(['a', 'answer'], undefined)).toThrow('--keep: the output has two columns named "answer"')
  expect(() => columnsOf(['word'], { properties: { word: {} } })).toThrow('two columns named "word"')
})

const chat = (message: Json): Json => ({ choices: [{ index: 0, message }] })
const calls = [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }]

test.each<[string, Json, string]>([
  ['chat', chat({ role: 'assistant', content: 'Hi' }), 'Hi'],
  ['chat with parts', chat({ content: ['H', 'i'].map((text) => ({ type: 'text', text })) }), 'Hi'],
  ['chat with a refusal', chat({ content: null, refusal: 'No.' }), 'No.'],
  ['chat with tool calls', chat({ content: null, tool_calls: calls }), JSON.stringify(calls)],
  ['several choices', { choices: [{ message: { content: 'a' } }, { message: { content: 'b' } }] }, '["a","b"]'],
  ['completions', { choices: [{ index: 0, text: 'Hi' }] }, 'Hi'],
  [
    'messages',
    {
      content: [
        { type: 'thinking', thinking: 'x' },
        { type: 'text', text: 'Hi' },
      ],
    },
    'Hi',
  ],
  ['messages with tool use', { content: [{ type: 'tool_use', input: {} }] }, '[{"type":"tool_use","input":{}}]'],
  ['embeddings', { data: [{ index: 0, embedding: [1, 2.5] }] }, '[1,2.5]'],
  ['anything else', { a: 1 }, '{"a":1}'],
  ['none, of a failed row', null, ''],
])('the text of an answer: %s', (_name, body, text) => {
  expect(answerText(body)).toBe(text)
})

test.each([
  ['', ''],
  ['"a"', '"a"'],
  ['a\n', '"a\\n"'],
])('%j is the line %j', (text, line) => {
  expect(lineOf(text)).toBe(line)
})

test('JSON of several lines is one line', () => {
  expect(lineOf('{\n  "a": [1, "b\\n"]\n}', true)).toBe('{"a":[1,"b\\n"]}')
})

test('the output is a file that can be written, and not the input', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'in.jsonl')
  writeFileSync(path, 'a\n')
  await expect(checkBatchFiles(path, path)).rejects.toThrow(`--output: ${path} is the input`)
  await expect(checkBatchFiles(folder)).rejects.toThrow(`--output: ${folder} is a directory`)
  await expect(checkBatchFiles('-')).rejects.toThrow('--output must be a regular file: -')
  await expect(checkBatchFiles('')).rejects.toThrow('--output: the path is empty')
  await expect(checkBatchFiles(join(folder, 'x', 'out'))).rejects.toThrow('no such directory')
  await expect(checkBatchFiles(join(folder, 'x'.repeat(250)))).rejects.toThrow('--output: the file name is too long')
  expect(readdirSync(folder)).toEqual(['in.jsonl'])
})

// No two share their errors, and none has a name that people give to files of their own.
test.each([
  ['out', 'out.errors'],
  ['out.csv', 'out.csv.errors.jsonl'],
  ['out.csv.jsonl', 'out.csv.jsonl.errors.jsonl'],
  ['out.jsonl', 'out.errors.jsonl'],
])('the errors of %s are in %s', async (name, errors) => {
  const folder = emptyFolder()
  expect((await checkBatchFiles(join(folder, name))).errors).toBe(join(folder, errors))
})

test.runIf(isUnix)('a device and a pipe are no output', async () => {
  await expect(checkBatchFiles('/dev/null')).rejects.toThrow('--output must be a regular file: /dev/null')
  await expect(checkBatchFiles('/dev/stdout')).rejects.toThrow('--output must be a regular file: /dev/stdout')
})

test.runIf(isUnix)(
  'files have the mode of the umask, or of the output that they replace, at the end of a link; the store is private',
  async () => {
    await using service = await startBatchService()
    const batch = new BatchProgram(service, ['a', 'status 400'])
    const modes = async (name: string, folder: string, mode: string): Promise<void> => {
      expect(await batch.filter('-o', batch.path(name))).toMatchObject({ code: 1 })
      for (const one of ['out', 'out.errors']) expectMode(join(folder, one), mode)
      expectMode(join(folder, 'out.answers'), '600')
    }
    await modes('out', batch.folder, (0o666 & ~process.umask()).toString(8))
    const real = batch.path('real')
    mkdirSync(real)
    writeFileSync(join(real, 'out'), '')
    chmodSync(join(real, 'out'), 0o640)
    symlinkSync(join('real', 'out'), batch.path('link'))
    await modes('link', real, '640')
    expect(batch.exists('link.answers')).toBe(false)
  },
)
