import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { stringify } from 'csv-stringify/sync'
import { expect, test } from 'vitest'
import { openInput } from '../../src/batch/input/input.ts'
import { parseTemplate } from '../../src/input/template.ts'
import { inputFile, inputIo, openFile, readAll, shown } from '../helpers/batch-input.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'

const openai = '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"messages":[]}}'
const anthropic = '{"custom_id":"a","params":{"messages":[]}}'

test.each([
  [openai, 'in.jsonl', false, 'openai'],
  [openai, 'in.jsonl', true, 'jsonl'],
  [anthropic, 'in.jsonl', false, 'anthropic'],
  ['\n \n{"prompt":"a"}', 'in', false, 'jsonl'],
  ['{"body":"text"}', 'in', false, 'jsonl'],
  ['"a prompt"', 'in.txt', false, 'jsonl'],
  ['"Yes," she said.', 'in.txt', false, 'lines'],
  ['12', 'in.jsonl', false, 'jsonl'],
  ['France', 'in.txt', false, 'lines'],
  ['{"a":1}', 'IN.CSV', false, 'csv'],
])('%s in %s, with a template: %s, is read as %s', async (text, name, hasTemplate, format) => {
  const template = hasTemplate ? parseTemplate('{{.}}') : undefined
  const input = await openFile(text, name, { template })
  expect(input.format).toBe(format)
  input.close()
})

test.each(['[{"prompt":"a"}]', ' [ '])('the JSON array %s is no list of lines', async (text) => {
  await expect(openFile(text, 'in.json')).rejects.toThrow(/in\.json: a JSON array; expected one JSON value per line/)
})

test('JSON of several lines is no JSON Lines either', async () => {
  const lines = openFile('{\n  "prompt": "a"\n}\n', 'in.jsonl').then(readAll)
  await expect(lines).rejects.toThrow('in.jsonl: JSON of several lines; expected one JSON value per line')
})

test('lines keep their number, their text and their spaces', async () => {
  const items = await readAll(await openFile('\ufeffFrance\r\n\n  \n  Peru \nChad'))
  expect(items.map(shown)).toEqual([[1, 'France'], [2], [3], [4, '  Peru '], [5, 'Chad']])
  expect(items.map((item) => ('raw' in item ? item.raw : undefined))).toEqual([
    'France',
    undefined,
    undefined,
    '  Peru ',
    'Chad',
  ])
})

test('an invalid line has its number, and does not end the input', async () => {
  const items = await readAll(await openFile('{"a":1}\n{"a":\n{"a":2}', 'in.jsonl'))
  expect(items.map(shown)).toEqual([
    [1, { a: 1 }],
    [2, 'in.jsonl: not valid JSON at line 2, column 6: Unexpected end of JSON input'],
    [3, { a: 2 }],
  ])
})

const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', '"', '\n', '\r\n', '\r', '\t', ';') })
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')

test('rows with any line ends, also in quotes, know their lines, wherever a pipe is cut', async () => {
  const row = fc.record({ cells: fc.tuple(cell, cell), blanks: fc.array(lineEnd, { maxLength: 2 }), end: lineEnd })
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, size) => {
        let text = 'a,b\n'
        const expected: unknown[] = []
        for (const { cells, blanks, end } of rows) {
          // The line feed of a CRLF starts no line of its own.
          for (const blank of blanks) text += text.endsWith('\r') && blank === '\n' ? '\r' : blank
          const line = text.split(/\r\n?|\n/).length
          expected.push(cells.some((one) => one.trim() !== '') ? [line, { a: cells[0], b: cells[1] }] : [line])
          text += stringify([cells], { quoted: true, record_delimiter: end })
        }
        expect((await readAll(await openFile(text, 'in.csv'))).map(shown)).toEqual(expected)
        const bytes = Buffer.from(text.replace(/[\r\n]+$/, ''))
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        )
        const pipe = await openInput(undefined, { format: 'csv' }, inputIo(chunks))
        expect((await readAll(pipe)).map(shown)).toEqual(expected)
      },
    ),
    samples(40),
  )
})

test('a row with too few or too many columns is invalid, and the next is read', async () => {
  const items = await readAll(await openFile('a,b\n1,2\n3\n4,5,6\n7,8\n', 'in.csv'))
  expect(items.map(shown)).toEqual([
    [2, { a: '1', b: '2' }],
    [3, 'in.csv, line 3: the number of columns differs from the header'],
    [4, 'in.csv, line 4: the number of columns differs from the header'],
    [5, { a: '7', b: '8' }],
  ])
})

test('a quote that opens nothing costs its row alone', async () => {
  const items = await readAll(await openFile('a,b\n1,"x\n2,y\n3,"z"\n', 'in.csv'))
  expect(items.map(shown)).toEqual([
    [2, 'in.csv, line 2: unclosed quote'],
    [3, { a: '2', b: 'y' }],
    [4, { a: '3', b: 'z' }],
  ])
})

test.each([
  ['text,b,text\n1,2,3', /in\.csv, line 1: two columns are named "text"/],
  ['a,__proto__\n1,2', /in\.csv, line 1: a column cannot be named "__proto__"/],
  ['title,body\n', /in\.csv, line 1: no column "text" \(available: "title", "body"\)/],
  ['text\n\na\n"\nb\n\nc\n', /in\.csv, line 4: unclosed quote/],
])('the table %j is refused', async (text, message) => {
  const input = await openFile(text, 'in.csv', { template: parseTemplate('{{text}}') })
  await expect(readAll(input)).rejects.toThrow(message)
})

test('a table needs the columns that are kept', async () => {
  const input = await openFile('text\na\n', 'in.csv', { columns: ['author'] })
  await expect(readAll(input)).rejects.toThrow(/line 1: no column "author" \(available: "text"\)/)
})

test('plain lines have no columns', async () => {
  const input = await openFile('a\n', 'in.txt', { template: parseTemplate('{{text}}') })
  await expect(readAll(input)).rejects.toThrow('in.txt: no column "text" (available: ".")')
})

test('a file that changes during a pass is an error', async () => {
  const path = inputFile('line\n'.repeat(200_000))
  const input = await openInput(path, {}, inputIo())
  const reading = async (): Promise<void> => {
    for await (const _items of input.read()) writeFileSync(path, 'other\n')
  }
  await expect(reading()).rejects.toThrow(/in\.txt: changed while it was read/)
  input.close()
})

test('standard input is kept in a private file, which is read again', async () => {
  const spool = join(emptyFolder(), 'out.jsonl.partial-input')
  const input = await openInput(undefined, { spool }, inputIo([Buffer.from('a\nb'), Buffer.from('c\n')]))
  expect(input.where).toBe('standard input')
  for (let pass = 0; pass < 2; pass++) {
    expect((await readAll(input)).map(shown)).toEqual([
      [1, 'a'],
      [2, 'bc'],
    ])
  }
  await input.keepCopy?.()
  expect(readFileSync(spool, 'utf8')).toBe('a\nbc\n')
  expect(statSync(spool).mode & 0o777).toBe(0o600)
  input.close()
  expect(readdirSync(join(spool, '..'))).toEqual(['out.jsonl.partial-input'])
})

test('an older copy stays until it is replaced, and what a link leads to is not written', async () => {
  const folder = emptyFolder()
  const [spool, other] = [join(folder, 'out.jsonl.partial-input'), join(folder, 'other')]
  writeFileSync(other, 'old\n')
  symlinkSync(other, spool)
  function* failing(): Generator<Uint8Array> {
    yield Buffer.from('new\n')
    throw new Error('broken')
  }
  await expect(openInput(undefined, { spool }, inputIo(failing()))).rejects.toThrow('broken')
  const unkept = await openInput(undefined, { spool }, inputIo([Buffer.from('new\n')]))
  unkept.close()
  expect(readFileSync(spool, 'utf8')).toBe('old\n')
  const kept = await openInput(undefined, { spool }, inputIo([Buffer.from('new\n')]))
  await kept.keepCopy?.()
  kept.close()
  expect(readFileSync(spool, 'utf8')).toBe('new\n')
  expect(readFileSync(other, 'utf8')).toBe('old\n')
  expect(readdirSync(folder).sort()).toEqual(['other', 'out.jsonl.partial-input'])
})

test('without a spool, standard input is read once, as it arrives', async () => {
  const arrived: string[] = []
  function* chunks(): Generator<Uint8Array> {
    for (const line of ['{"prompt":"a"}\n', '{"prompt":"b"}\n', '{"prompt":"c"}\n']) {
      arrived.push(line)
      yield Buffer.from(line)
    }
  }
  const input = await openInput(undefined, {}, inputIo(chunks()))
  expect(input).toMatchObject({ format: 'jsonl', isRepeatable: false })
  const reads = input.read()[Symbol.asyncIterator]()
  const first = await reads.next()
  expect((first.value ?? []).map(shown)).toEqual([[1, { prompt: 'a' }]])
  const rest: unknown[] = []
  for (let next = await reads.next(); !next.done; next = await reads.next()) rest.push(...next.value.map(shown))
  expect(rest).toEqual([
    [2, { prompt: 'b' }],
    [3, { prompt: 'c' }],
  ])
})

test('a pipe is not read twice', async () => {
  const input = await openInput('-', {}, inputIo([Buffer.from('a\n')]))
  await readAll(input)
  await expect(readAll(input)).rejects.toThrow(/^standard input can be read only once: name a file$/)
})

test('an endless pipe ends after the limit', async () => {
  function* endless(): Generator<Uint8Array> {
    for (;;) yield Buffer.from('y\n\n')
  }
  const input = await openInput(undefined, { limit: 3, format: 'lines' }, inputIo(endless()))
  expect((await readAll(input)).map(shown)).toEqual([[1, 'y'], [2], [3, 'y'], [4], [5, 'y']])
})

test.each([
  [undefined, 'terminal', /^no input: name a file, or pipe it in$/],
  ['missing.csv', 'pipe', /^cannot read missing\.csv: no such file$/],
  ['.', 'pipe', /^cannot read \.: is a directory$/],
  ['', 'pipe', /^INPUT: the path is empty$/],
] as const)('%s with %s as standard input is refused', async (path, kind, message) => {
  const spool = join(emptyFolder(), 'spool')
  await expect(openInput(path, { spool }, inputIo([], kind))).rejects.toThrow(message)
  expect(existsSync(spool)).toBe(false)
})

test.each([
  [Buffer.from([0x61, 0x0a, 0xff, 0x0a]), /in\.txt, line 2: not UTF-8 text/],
  [Buffer.from('a\nb\0\n'), /in\.txt, line 2: not text: it contains a null byte/],
])('%j is not text', async (bytes, message) => {
  const reading = async (): Promise<unknown> => readAll(await openInput(inputFile(bytes), {}, inputIo()))
  await expect(reading()).rejects.toThrow(message)
})
