import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerText, columnsOf, lineOf } from '../../src/batch/output/printer.ts'
import { checkBatchFiles } from '../../src/batch/journal/files.ts'
import type { Json } from '../../src/io/json/json.ts'
import { answerBody, runBatch } from '../helpers/batch-run.ts'
import { expectMode, isUnix } from '../helpers/modes.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

test('the results are in the order of the input, in the shape of OpenAI', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  const { failed } = await runBatch(path, ['a', 'b', 'a'], { order: (position) => -position })
  expect(failed).toBe(0)
  const id = 'batch_req_ca978112ca1bbdcafac231b3'
  const row = (custom_id: string, text: string, of = id): string =>
    JSON.stringify({ id: of, custom_id, response: { status_code: 200, body: answerBody(text) }, error: null })
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toEqual([
    row('line-1', 'answer to a'),
    row('line-2', 'answer to b', 'batch_req_3e23e8160039594a33894f65'),
    row('line-3', 'answer to a'),
  ])
  expect(readdirSync(join(path, '..'))).toEqual(['out.jsonl', 'out.jsonl.identity'])
})

test('rows that fail are in the errors file, and the same command sends only them again', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'out.jsonl')
  const lines = ['a', 'b', 'c', 'd']
  const first = await runBatch(path, lines, { failing: new Set(['b', 'd']), invalid: new Set(['c']) })
  expect(first.failed).toBe(3)
  expect(idsOf(path)).toEqual(['line-1'])
  expect(idsOf(join(folder, 'out.errors.jsonl'))).toEqual(['line-2', 'line-3', 'line-4'])
  expect(readFileSync(join(folder, 'out.errors.jsonl'), 'utf8').split('\n')[1]).toContain(
    '"custom_id":"line-3","response":null,"error":{"code":"invalid_request","message":"not valid: c"}}',
  )
  expect(readdirSync(folder).sort()).toEqual([
    'out.errors.jsonl',
    'out.jsonl',
    'out.jsonl.identity',
    'out.jsonl.partial',
  ])
  const second = await runBatch(path, lines, { failing: new Set(['b']), invalid: new Set(['c']) })
  expect(second.sent).toEqual(['b', 'd'])
  expect(second.notices).toEqual(['1 of 4 rows is done', '2 failed rows of the last run are sent again'])
  expect(idsOf(path)).toEqual(['line-1', 'line-4'])
  const third = await runBatch(path, lines)
  expect(third.sent).toEqual(['b', 'c'])
  expect(idsOf(path)).toEqual(['line-1', 'line-2', 'line-3', 'line-4'])
  expect(readdirSync(folder)).toEqual(['out.jsonl', 'out.jsonl.identity'])
  expect((await runBatch(path, lines)).sent).toEqual([])
})

test('as text, a line for each row', async () => {
  const path = join(emptyFolder(), 'out.txt')
  await runBatch(path, ['a', 'b\r\nc', 'd'], { format: { type: 'text' }, failing: new Set(['a']) })
  expect(readFileSync(path, 'utf8')).toBe('\n"answer to b\\r\\nc"\nanswer to d\n')
})

test('as CSV or JSON Lines with columns of the input', async () => {
  const lines = ['{"title":"A, b","n":1}', '{"title":"\\"x\\"\\ny","n":[2]}', '{"title":"lost"}']
  const columns = columnsOf(['title', 'n'], undefined)
  const failing = new Set([lines[2] ?? ''])
  const folder = emptyFolder()
  await runBatch(join(folder, 'o.csv'), lines, { format: { type: 'csv', columns }, failing })
  expect(readFileSync(join(folder, 'o.csv'), 'utf8')).toBe(
    [
      'title,n,answer',
      '"A, b",1,"answer to {""title"":""A, b"",""n"":1}"',
      '"""x""\ny",[2],"answer to {""title"":""\\""x\\""\\ny"",""n"":[2]}"',
      '',
    ].join('\n'),
  )
  await runBatch(join(folder, 'o.jsonl'), lines, { format: { type: 'jsonl', columns }, failing })
  const rows = readFileSync(join(folder, 'o.jsonl'), 'utf8').trimEnd().split('\n')
  expect(rows.map((row) => JSON.parse(row) as Json)).toEqual([
    { title: 'A, b', n: 1, answer: `answer to ${String(lines[0])}` },
    { title: '"x"\ny', n: [2], answer: `answer to ${String(lines[1])}` },
  ])
})

test('the properties of a schema are columns', async () => {
  const columns = columnsOf([], {
    type: 'object',
    properties: { word: { type: 'string' }, count: { type: 'integer' } },
  })
  const path = join(emptyFolder(), 'o.csv')
  // The answer is no JSON, so its columns are empty.
  await runBatch(path, ['a'], { format: { type: 'csv', columns } })
  expect(readFileSync(path, 'utf8')).toBe('word,count\n,\n')
})

test('an empty answer in the only column is no blank line, which readers of CSV skip', async () => {
  const columns = columnsOf([], { properties: { word: {} } })
  const path = join(emptyFolder(), 'o.csv')
  await runBatch(path, ['a'], { format: { type: 'csv', columns } })
  expect(readFileSync(path, 'utf8')).toBe('word\n""\n')
})

test('two columns of one name are refused', () => {
  expect(() => columnsOf(['a', 'answer'], undefined)).toThrow('--keep: the output has two columns named "answer"')
  expect(() => columnsOf(['word'], { properties: { word: {} } })).toThrow('two columns named "word"')
})

const chat = (message: Json): Json => ({ choices: [{ index: 0, message }] })
const calls = [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }]

test.each<[string, Json, string]>([
  ['chat', chat({ role: 'assistant', content: 'Hi' }), 'Hi'],
  [
    'chat with parts',
    chat({
      content: [
        { type: 'text', text: 'H' },
        { type: 'text', text: 'i' },
      ],
    }),
    'Hi',
  ],
  ['chat with a refusal', chat({ content: null, refusal: 'No.' }), 'No.'],
  ['chat with tool calls', chat({ content: null, tool_calls: calls }), JSON.stringify(calls)],
  ['chat with neither', chat({ content: null }), ''],
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
  ['several embeddings', { data: [{ embedding: [1] }, { embedding: [2] }] }, '[[1],[2]]'],
  ['anything else', { a: 1 }, '{"a":1}'],
  ['no object', 1, '1'],
  ['none, of a failed row', null, ''],
])('the text of an answer: %s', (_name, body, text) => {
  expect(answerText(body)).toBe(text)
})

test.each([
  ['a', 'a'],
  ['', ''],
  ['"a"', '"a"'],
  ['a\n', '"a\\n"'],
  ['a\rb', '"a\\rb"'],
])('%j is the line %j', (text, line) => {
  expect(lineOf(text)).toBe(line)
})

test.each([
  ['{\n  "a": [1, "b\\n"]\n}', '{"a":[1,"b\\n"]}'],
  ['no\nJSON', '"no\\nJSON"'],
])('JSON %j is the line %s', (text, line) => {
  expect(lineOf(text, true)).toBe(line)
})

test('a long result, and results far from each other', async () => {
  const path = join(emptyFolder(), 'out.txt')
  const lines = Array.from(
    { length: 300 },
    (_, number) => `${number} ${'x'.repeat(number % 100 === 7 ? 1_500_000 : 3000)}`,
  )
  await runBatch(path, lines, { format: { type: 'text' }, order: (position) => (position * 7919) % 300 })
  expect(readFileSync(path, 'utf8')).toBe(lines.map((line) => `answer to ${line}\n`).join(''))
})

test('the output is a file that can be written, and not the input', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'in.jsonl')
  writeFileSync(path, 'a\n')
  await expect(checkBatchFiles(path, false, [['the input', path]])).rejects.toThrow(`--output: ${path} is the input`)
  await expect(checkBatchFiles(folder)).rejects.toThrow(`--output: ${folder} is a directory`)
  await expect(checkBatchFiles('-')).rejects.toThrow('--output must be a regular file: -')
  await expect(checkBatchFiles('')).rejects.toThrow('--output: the path is empty')
  await expect(checkBatchFiles(join(folder, 'x', 'out'))).rejects.toThrow('no such directory')
  await expect(checkBatchFiles(join(folder, 'x'.repeat(250)))).rejects.toThrow('--output: the file name is too long')
  expect(readdirSync(folder)).toEqual(['in.jsonl'])
})

test.runIf(isUnix)('a device and a pipe are no output', async () => {
  await expect(checkBatchFiles('/dev/null')).rejects.toThrow('--output must be a regular file: /dev/null')
  await expect(checkBatchFiles('/dev/stdout')).rejects.toThrow('--output must be a regular file: /dev/stdout')
})

test.runIf(isUnix)(
  'files have the mode of the umask, or of the output that they replace, at the end of a link',
  async () => {
    const folder = emptyFolder()
    const lines = ['a', 'b']
    await runBatch(join(folder, 'new'), lines, { failing: new Set(['a']) })
    const mode = (0o666 & ~process.umask()).toString(8)
    for (const name of ['new', 'new.errors', 'new.partial', 'new.identity']) expectMode(join(folder, name), mode)
    mkdirSync(join(folder, 'real'))
    writeFileSync(join(folder, 'real', 'out'), '')
    chmodSync(join(folder, 'real', 'out'), 0o640)
    symlinkSync(join('real', 'out'), join(folder, 'link'))
    await runBatch(join(folder, 'link'), lines, { failing: new Set(['a']) })
    for (const name of ['out', 'out.errors', 'out.partial', 'out.identity'])
      expectMode(join(folder, 'real', name), '640')
    expect(existsSync(join(folder, 'link.partial'))).toBe(false)
  },
)

function idsOf(path: string): string[] {
  const rows = readFileSync(path, 'utf8').trimEnd().split('\n')
  return rows.map((row) => (JSON.parse(row) as { custom_id: string }).custom_id)
}
