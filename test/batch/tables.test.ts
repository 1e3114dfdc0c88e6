/** `syn batch` of tables and into tables: their delimiters, the columns that are kept, and the ids of rows. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { streamed } from '../helpers/chat-chunks.ts'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { json, startService, type Answer } from '../helpers/service.ts'

/** Answers each prompt with itself; there are no models, and is no quota. */
const echo: Answer = (asked, response) => {
  if (asked.method === 'GET') return json({ data: [] })(asked, response)
  const { messages } = asked.json as { messages: [{ content: string }] }
  if (messages[0].content.includes('lost')) return json({ error: { message: 'lost' } }, 400)(asked, response)
  return streamed(messages[0].content)(asked, response)
}

interface Run extends Outcome {
  readonly asked: number
  /** The text of a file in the folder of the input. */
  read(name: string): string
}

/** Runs `syn batch NAME -t T:{{text}} OPTIONS`, unless they have another template, in a folder with this input, which is `@`. */
async function batch(name: string, input: string | Buffer, ...options: string[]): Promise<Run> {
  const folder = emptyFolder()
  writeFileSync(join(folder, name), input)
  await using service = await startService(echo)
  const template = options.includes('-t') ? [] : ['-t', 'T:{{text}}']
  const argv = ['batch', join(folder, name), ...template, ...options.map((one) => one.replace('@', folder))]
  const outcome = await runSyn(argv, { env: service.env })
  return {
    ...outcome,
    asked: service.asked.filter(({ method }) => method === 'POST').length,
    read: (one) => readFileSync(join(folder, one), 'utf8'),
  }
}

const table = 'id,text\na,good\nb,bad\n'

describe('a table of another delimiter', () => {
  test.each([
    [';', 'in.csv', 'id;text\na;"x;y"\n', 'x;y'],
    ['|', 'in.csv', 'id|text\na|x,y\n', 'x,y'],
    ['\\t', 'in.txt', 'id\ttext\na\tx\n', 'x'],
  ])('%s in %s', async (delimiter, name, input, text) => {
    expect(await batch(name, input, '--delimiter', delimiter)).toMatchObject({ code: 0, out: `T:${text}\n` })
  })

  test.each([
    ['in.csv', 'id\ttext\na\tx "y"\n', 'tab', 'x "y"'],
    ['in.csv', '"a,b"|text\na|"x"\n', `'|'`, 'x'],
    ['in.csv', 'sep=;\r\nid;text\r\na;x\r\n', `';'`, 'x'],
    ['in.csv', '"SEP=|"\rid,n|text\ra|x', `'|'`, 'x'],
  ])('is found: %s %j', async (name, input, delimiter, text) => {
    const outcome = await batch(name, input)
    expect(outcome).toMatchObject({ code: 0, out: `T:${text}\n` })
    expect(outcome.err).toMatch(`syn: 1 succeeded · read with --delimiter ${delimiter} · `)
  })

  test.each([
    ['in.csv', 'sep=;\nid,text\na,x\n', ',', 'x'],
    ['in.csv', 'sep=,\nid,text\na,x\n', undefined, 'x'],
    ['in.tsv', 'id;n\ttext,5"\ttext\na\tb\tx\n', undefined, 'x'],
  ])('is not looked for beside one that is given or usual: %s %j', async (name, input, delimiter, text) => {
    const outcome = await batch(name, input, ...(delimiter === undefined ? [] : ['--delimiter', delimiter]))
    expect(outcome).toMatchObject({ code: 0, out: `T:${text}\n` })
    expect(outcome.err).toMatch(/^syn: 1 succeeded · \d/m)
  })

  test.each([
    ['in.csv', 'id;text, English\na;x\n', [], 'line 1: no column "text" (available: "id;text", " English")', `';'`],
    ['in.csv', 'text;n,m\n"x\n', ['-t', '{{text;n}}'], 'line 2: unclosed quote', `';'`],
    ['in.csv', 'id,text\na,x\n', ['--delimiter', 'tab'], 'line 1: no column "text" (available: "id,text")', `','`],
  ])('that may be meant is in the hint of each error: %s %j %j', async (name, input, options, message, other) => {
    const { code, err, asked } = await batch(name, input, ...options)
    expect({ code, asked }).toEqual({ code: 2, asked: 0 })
    expect(err).toContain(`${message}\nhint: use --delimiter ${other} if that separates the columns\n`)
  })

  test('does not make a table of JSON', async () => {
    const { code, err } = await batch('in.jsonl', '{"text":"a"}\n', '--delimiter', ';')
    expect({ code, err }).toEqual({ code: 2, err: 'syn: --delimiter needs a table; the input is jsonl\n' })
  })
})

describe('--keep', () => {
  const rows = '{"id":"x","a":{"b":[1]},"a.c":2,"text":"good"}\n{"id":"y","a":{"b":null},"text":"bad"}\n'

  test('finds what the template finds: paths, names with points, and the whole record', async () => {
    const { out } = await batch('in.jsonl', rows, '--keep', 'a.b,a.c', '--format', 'jsonl')
    expect(out).toBe('{"a.b":[1],"a.c":2,"answer":"T:good"}\n{"a.b":null,"a.c":null,"answer":"T:bad"}\n')
  })

  // What Excel in German writes: semicolons, a byte order mark, CRLF, and LF within a cell.
  test.each([
    ['in.csv', '\ufeffid;text;preis\r\n1;"a;b";1,50\r\n2;"Zeile 1\nZeile 2";"lost ""x"\r\n', [], ';'],
    ['in.tsv', '\ufeffid\ttext\tpreis\r\n1\ta;b\t1,50\r\n2\t"Zeile 1\nZeile 2"\tlost "x\r\n', [], ','],
    ['in.txt', 'id|text|preis\r1|a;b|"1,50"\r2|"Zeile 1\nZeile 2"|"lost ""x"', ['--delimiter', '|'], '|'],
  ])(
    'into a file, a table of %s comes back as it came, failed rows included: %j',
    async (name, input, given, delimiter) => {
      for (const [extension, between] of [
        ['csv', delimiter],
        ['tsv', '\t'],
      ] as const) {
        const options = [...given, '-t', 'T:{{preis}}', '--keep', '*', '-o', `@/out.${extension}`]
        const { code, read } = await batch(name, input, ...options)
        const [mark = '', end = ''] = [/^\ufeff?/, /\r\n?/].map((one) => one.exec(input)?.[0])
        const text = read(`out.${extension}`)
        const rows: unknown = parse(text.slice(mark.length), { delimiter: between, recordDelimiter: end })
        expect({ code, mark: text.startsWith('\ufeff'), rows }).toEqual({
          code: 1,
          mark: mark !== '',
          rows: [
            ['id', 'text', 'preis', 'answer'],
            ['1', 'a;b', '1,50', 'T:1,50'],
            ['2', 'Zeile 1\nZeile 2', 'lost "x', ''],
          ],
        })
      }
    },
  )

  test.each([
    ['a.x', '--keep: no row has a column named "a.x"'],
    ['nope', '--keep: no row has a column named "nope"', '--lines', '-t', '{{.}}'],
    ['id,', '--keep: the name of a column is empty'],
  ])('%j is refused before any request, with and without -o, and in a preview', async (keep, message, ...options) => {
    for (const output of [[], ['-o', '@/out.jsonl'], ['--dry-run']]) {
      const { code, err, asked } = await batch(
        'in.jsonl',
        rows,
        '--keep',
        keep,
        '--format',
        'jsonl',
        ...options,
        ...output,
      )
      expect({ code, err, asked }).toEqual({ code: 2, err: expect.stringContaining(message), asked: 0 })
    }
  })
})

describe('--keep *', () => {
  test.each([
    ['in.csv', table, 'csv', 'id,text,answer\na,good,T:good\nb,bad,T:bad\n'],
    ['in.csv', table, 'tsv', 'id\ttext\tanswer\na\tgood\tT:good\nb\tbad\tT:bad\n'],
    ['in.csv', '2,1,text\nx,y,z\n', 'csv', '2,1,text,answer\nx,y,z,T:z\n'],
    [
      'in.jsonl',
      '{"text":"a","n":1.10}\n{"x":[],"text":"b"}\n',
      'jsonl',
      '{"text":"a","n":1.10,"answer":"T:a"}\n{"x":[],"text":"b","answer":"T:b"}\n',
    ],
  ])('of %s %j as %s', async (name, input, format, rows) => {
    expect(await batch(name, input, '--keep', '*', '--format', format)).toMatchObject({ code: 0, out: rows })
    const { code, read } = await batch(name, input, '--keep', 'text,*', '-o', `@/out.${format}`)
    // Without rows nobody reads the header of the output either.
    expect({ code, out: read(`out.${format}`) }).toEqual({ code: 0, out: rows })
  })

  test.each([
    [
      'in.csv',
      'answer,text\na,b\n',
      'csv',
      `line 1: with --keep '*', the output would have two columns named "answer"`,
    ],
    ['in.jsonl', '{"text":"a","answer":1}\n', 'jsonl', `two columns named "answer"`],
    ['in.jsonl', '{"text":"a"}\n', 'csv', `--keep '*' needs --format jsonl for rows of JSON, whose keys may differ`],
  ])('of %s %j as %s is refused', async (name, input, format, message) => {
    const { code, err, asked } = await batch(name, input, '--keep', '*', '--format', format)
    expect({ code, asked }).toEqual({ code: 2, asked: 0 })
    expect(err).toContain(message)
    expect(err).toContain('name the columns to keep')
  })
})

describe('the custom_id is', () => {
  const ids = (text: string): unknown[] => text.split('\n').flatMap((line) => (line === '' ? [] : [idOf(line)]))
  const idOf = (line: string): unknown => (JSON.parse(line) as { custom_id: unknown }).custom_id

  test.each<[what: string, name: string, input: string, ids: string[]]>([
    ['the id of JSON, also a number', 'in.jsonl', '{"id":7,"text":"x"}\n\n{"id":"b","text":"y"}\n', ['7', 'b']],
    ['the line if an id comes twice', 'in.csv', 'id,text\na,x\na,y\n', ['line-2', 'line-3']],
    ['the line if an id is missing', 'in.csv', 'id,text\na,x\n,y\n', ['line-2', 'line-3']],
    ['the custom_id if there is one', 'in.csv', 'id,custom_id,text\na,,x\nb,c,y\n', ['line-2', 'c']],
  ])('%s', async (_what, name, input, expected) => {
    expect(ids((await batch(name, input, '--format', 'jsonl')).out)).toEqual(expected)
    expect(ids((await batch(name, input, '-o', '@/out.jsonl')).read('out.jsonl'))).toEqual(expected)
  })
})

test.each([
  ['in.csv', 'id,text\n'],
  ['in.txt', '\n\n'],
])('%s %j has no rows, and a warning names it', async (name, input) => {
  const options = name === 'in.txt' ? ['--lines', '-t', '{{.}}'] : []
  for (const output of [[], ['-o', '@/out.jsonl']]) {
    const { code, err, asked } = await batch(name, input, ...options, ...output)
    expect({ code, asked }).toEqual({ code: 0, asked: 0 })
    expect(err).toContain(`${name} has no rows`)
  }
})

test.each([
  ['Windows-1252', 'windows-1252', Buffer.from('text\n\x93caf\xe9\x94\n', 'latin1'), 2],
  ['UTF-16', 'utf-16', Buffer.from('\ufefftext\nhi\n', 'utf16le'), 1],
  ['UTF-16', 'utf-16be', Buffer.from('text\nhi\n', 'utf16le').swap16(), 1],
])('a file in %s (%s) is named as such', async (encoding, name, bytes, line) => {
  const { code, err } = await batch('in.csv', bytes)
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining(`in.csv, line ${line}: not UTF-8 text, but probably ${encoding}\n`) as string,
  })
  expect(err).toContain(`hint: convert it with iconv -f ${name} -t utf-8\n`)
})

test.each([
  ['xlsx', false],
  ['2026-11-24', true],
])('an output with the extension %s is taken: %s', async (extension, isTaken) => {
  const { code, err, asked } = await batch('in.csv', table, '-o', `@/out.${extension}`)
  expect({ code, asked: asked > 0 }).toEqual({ code: isTaken ? 0 : 2, asked: isTaken })
  if (!isTaken)
    expect(err).toContain(`--output: .${extension} is not a format of syn batch; use .jsonl, .csv, .tsv or .txt`)
})

describe('rows in which all that the template takes is empty', () => {
  const rows = 'id,text\r\n1,a\r\n2, \r\n,\r\n4,d'

  test.each<[options: string[], out: string]>([
    [[], 'T:a\n\n\nT:d\n'],
    [['--format', 'csv', '--keep', 'id'], 'id,answer\n1,T:a\n\n\n4,T:d\n'],
  ])('are left out, and an empty line stands for each: %j', async (options, out) => {
    const outcome = await batch('in.csv', rows, ...options)
    expect(outcome).toMatchObject({ code: 0, out, asked: 2 })
    expect(outcome.err).toMatch(/^syn: 2 succeeded · 2 empty rows left out · /m)
  })

  test('are counted in a preview, and where there are no others', async () => {
    expect((await batch('in.csv', rows, '--dry-run')).err).toContain(' of prompts · 2 empty rows left out:\n')
    expect(await batch('in.csv', 'id,text\n1,\n')).toMatchObject({
      code: 0,
      asked: 0,
      err: expect.stringMatching(/in\.csv has no rows · 1 empty row left out\n$/) as string,
    })
  })
})
