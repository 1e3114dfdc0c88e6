/** `--keep`: columns of the input beside the embeddings. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { embed, linesOf, refusalOf, type EmbedOptions } from '../../helpers/embed.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const books = file('books.csv', 'Id,title,"a note"\n007,Dune,"sand, ""spice"""\n8,Emma,\n')
const jsonl = file(
  'rows.jsonl',
  '{"text":"Dune","id":12345678901234567890,"tags":["a",1.50],"a":{"b":"x"}}\n\n"Emma"\n{"text":"","id":null,"tags":"null"}\n',
)

async function written(argv: string[], options: EmbedOptions = {}): Promise<string> {
  const { code, out, err } = await embed(argv, options)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

/** What the rows have besides index and embedding, in each format. */
async function rowsIn(format: string, argv: string[]): Promise<unknown[][]> {
  const path = join(emptyFolder(), `e.${format}`)
  await written([...argv, '-o', path])
  const bytes = readFileSync(path)
  if (format === 'csv') {
    const [header, ...rows] = parse(bytes)
    expect([header?.[0], ...(header?.slice(-3) ?? [])]).toEqual(['index', 'v0', 'v1', 'v2'])
    return [header, ...rows].map((cells = []) => cells.slice(1, -3))
  }
  const objects = linesOf(bytes.toString())
  expect(objects.map(({ index }) => index)).toEqual([...objects.keys()])
  const names = Object.keys(objects[0] ?? {})
  expect([names[0], names.at(-1)]).toEqual(['index', 'embedding'])
  return [names.slice(1, -1), ...objects.map((row) => Object.values(row).slice(1, -1))]
}

test.each(['jsonl', 'csv'])('cells of a table are strings: %s', async (format) => {
  expect(await rowsIn(format, ['-f', books, '--column', 'title', '--keep', 'id, a note'])).toEqual([
    ['id', 'a note'],
    ['007', 'sand, "spice"'],
    ['8', ''],
  ])
  const argv = ['-f', books, '--column', 'title', '--with-text', '--keep', 'title', '--keep', 'Id', '--batch-size', '1']
  expect(await rowsIn(format, argv)).toEqual([
    ['text', 'title', 'Id'],
    ['Dune', 'Dune', '007'],
    ['Emma', 'Emma', '8'],
  ])
})

test('path and line of texts in files, where no column is named so', async () => {
  const notes = [file('note-a.txt', 'one\ntwo\n'), file('note-b.txt', 'three')]
  const pattern = ['-f', join(folder, 'note-*.txt'), '--keep', 'path,line']
  expect(await rowsIn('csv', pattern)).toEqual([['path', 'line'], ...notes.map((path) => [path, '1'])])
  const places = [
    [notes[0], 1],
    [notes[0], 2],
    [notes[1], 1],
  ]
  expect(await rowsIn('jsonl', ['--lines', ...pattern])).toEqual([['path', 'line'], ...places])
  const own = file('own.csv', 'Path,text\nx,"a\nb"\ny,c\n')
  expect(await rowsIn('csv', ['-f', own, '--keep', 'path,line'])).toEqual([
    ['path', 'line'],
    ['x', '2'],
    ['y', '4'],
  ])
  for (const argv of [['hi'], ['-f', notes[0] ?? '', 'hi']])
    expect(await refusalOf([...argv, '--keep', 'path'])).toMatch(/^--keep(:| needs)/)
})

test('values of JSON Lines keep their numbers', async () => {
  const argv = ['-f', jsonl, '--keep', 'id,tags,a.b']
  const objects = [
    '{"index":0,"id":12345678901234567890,"tags":["a",1.50],"a.b":"x","embedding":[4,68,1]}',
    '{"index":1,"id":null,"tags":null,"a.b":null,"embedding":[4,69,1]}',
    '{"index":2,"id":null,"tags":"null","a.b":null,"embedding":[0,0,1]}',
  ]
  expect(await written(argv)).toBe(`${objects.join('\n')}\n`)
})

test('in CSV they are strings, or JSON', async () => {
  expect(await rowsIn('csv', ['-f', jsonl, '--keep', 'id,tags,a.b'])).toEqual([
    ['id', 'tags', 'a.b'],
    ['12345678901234567890', '["a",1.50]', 'x'],
    ['', '', ''],
    ['', 'null', ''],
  ])
})

test('the whole record is a column, too', async () => {
  expect(linesOf(await written(['-f', books, '--column', 'title', '--keep', '.'])).map((row) => row['.'])).toEqual([
    { Id: '007', title: 'Dune', 'a note': 'sand, "spice"' },
    { Id: '8', title: 'Emma', 'a note': '' },
  ])
})

describe('is refused before any request', () => {
  const names = '(available: "Id", "title", "a note")'
  const title = ['--column', 'title']
  const two = (name: string): string => `--keep: the output has two columns named "${name}"`
  const needs = '--keep needs --input-format jsonl, csv or tsv, or a file with that extension'

  test.each<[argv: string[], refusal: string, stdin?: string]>([
    [['-f', books, ...title, '--keep', 'id,nope'], `--file FOLDER/books.csv, line 1: no column "nope" ${names}`],
    [
      ['-f', jsonl, '--keep', 'id,a.c'],
      '--file FOLDER/rows.jsonl: no column "a.c" (available: "text", "id", "tags", "a")',
    ],
    [['-f', books, ...title, '--keep', ''], '--keep: the name of a column is empty'],
    [['-f', books, ...title, '--keep', 'id', '--keep', 'id'], two('id')],
    [['-f', books, ...title, '--keep', 'text', '--with-text'], two('text')],
    [['-f', books, ...title, '--keep', 'id', '--json'], '--keep and --json cannot be combined'],
    [['--keep', 'id', 'hi'], needs],
    [['-f', books, ...title, '--keep', 'id', 'hi'], '--keep: an argument has no columns'],
    [['-f', books, ...title, '--keep', 'id'], '--keep: standard input has no columns', 'text'],
  ])('%j', async (argv, refusal, stdin) => {
    const message = await refusalOf(argv, stdin === undefined ? {} : { stdin })
    expect(message.replaceAll(folder, 'FOLDER')).toBe(refusal)
  })
})
