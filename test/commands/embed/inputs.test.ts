/** The sources of texts, and their order. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { embed, linesOf, textsSentBy, type EmbedOptions } from '../../helpers/embed.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
const file = (name: string, text: string | Uint8Array): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const two = file('two.txt', 'one\ntwo\n')
const other = file('other.txt', 'other')
const empty = file('empty.txt', '')
const jsonl = file('rows.jsonl', '{"text":"one","id":1}\n\n"two"\r\n{"id":2,"text":""}\n')
const csv = file('rows.csv', 'id,text,2\n1,"one, ""or"" more\nlines",a\n\n2,,b\n')
const column = file('column.csv', '\ufefftitle\r\none\r\ntwo\r\n')

type Row = [argv: string[], stdin: string | undefined, texts: string[]]

function piped(stdin: string | undefined): EmbedOptions {
  return stdin === undefined ? {} : { stdin }
}

describe('arguments, files and standard input', () => {
  test.each<Row>([
    [['one two', 'three'], undefined, ['one two', 'three']],
    [[], 'one\ntwo\n', ['one\ntwo']],
    [['first', '-', 'last'], 'piped', ['first', 'piped', 'last']],
    [['--input', 'in', 'word', '-f', two, '-f', other], 'piped', ['in', 'word', 'one\ntwo', 'other', 'piped']],
    [['--input', two, folder], undefined, [two, folder]],
  ])('%j with %j', async (argv, stdin, texts) => {
    expect(await textsSentBy(argv, piped(stdin))).toEqual(texts)
  })

  test('from a terminal', async () => {
    expect(await textsSentBy(['first', '-'], { stdin: 'piped', stdinKind: 'terminal' })).toEqual(['first', 'piped'])
  })
})

test.each<Row>([
  [['--lines'], 'one\r\n\r\n\ntwo', ['one', '', '', 'two']],
  [['--lines', 'a\nb', '-f', two], ' c \n', ['a\nb', 'one', 'two', ' c ']],
  [['--input-format', 'lines', '-f', two, '-f', empty], '', ['one', 'two']],
])('lines: %j with %j', async (argv, stdin, texts) => {
  expect(await textsSentBy(argv, piped(stdin))).toEqual(texts)
})

test.each<[argv: string[], texts: string[]]>([
  [
    ['--input-format', 'jsonl', '-f', jsonl],
    ['one', 'two', ''],
  ],
  [
    ['--input-format', 'csv', '-f', csv],
    ['one, "or" more\nlines', ''],
  ],
  [
    ['--input-format', 'csv', '--column', '2', '-f', csv],
    ['a', 'b'],
  ],
  [
    ['--input-format', 'csv', '--column', 'title', '-f', column],
    ['one', 'two'],
  ],
  [
    ['--input-format', 'csv', '--column', '1', '-f', csv],
    ['1', '2'],
  ],
  [
    ['--input-format', 'csv', '-f', column],
    ['one', 'two'],
  ],
])('JSON Lines and CSV: %j', async (argv, texts) => {
  expect(await textsSentBy(argv)).toEqual(texts)
})

describe('the extension of a file is its format', () => {
  const dune = 'id,title,price\n1,Dune,9.5\n2,"Emma, a novel",\n'
  const books = file('books.csv', dune)
  const tsv = file('books.TSV', 'id\ttitle\n1\tA 3" pipe\n2\tEmma\n')
  const titles = ['Dune', 'Emma, a novel']

  test.each<[argv: string[], texts: string[]]>([
    [
      ['-f', books, '-f', tsv, '-f', two],
      [...titles, 'A 3" pipe', 'Emma', 'one\ntwo'],
    ],
    [['-f', file('rows.ndjson', '{"title":"one"}\n'), '--column', 'title'], ['one']],
    [['-f', books, '--input-format', 'text'], [dune.trimEnd()]],
    [['-f', file('years.csv', `n,year,title\n${'1,1990,\n'.repeat(300)}`), '--column', '2'], Array(300).fill('1990')],
    [
      ['-f', file('late.csv', `id,title\n${'1,\n'.repeat(99)}1,Dune\n`)],
      [...Array<string>(99).fill(''), 'Dune'],
    ],
  ])('%j', async (argv, texts) => {
    expect(await textsSentBy(argv)).toEqual(texts)
  })
})

test('a table is read as it was saved, and notices name what was found and left out', async () => {
  const table = file('saved.csv', '\ufeffsep=;\rid;Text\r1;"a;\r\n"\r;\r3;\n;\r\n4;d')
  for (const [argv, where] of [
    [['-f', table, '--no-stdin'], `--file ${table}`],
    [['-f', '-', '--input-format', 'csv'], 'standard input'],
  ] as const) {
    const { code, out, err } = await embed([...argv, '--with-text'], { stdin: readFileSync(table) })
    expect(linesOf(out).map(({ text }) => text)).toEqual(['a;\r\n', '', 'd'])
    const said = [`syn: ${where}: read with --delimiter ';'`, `syn: ${where}: 2 empty rows left out`]
    expect({ code, err }).toEqual({ code: 0, err: `${said.join('\n')}\n` })
  }
})
