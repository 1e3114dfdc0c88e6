/** Tables as programs write them, in `syn batch`: what is a row, a cell, a blank row or an invalid one. */

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openInput } from '../../src/batch/input/input.ts'
import { parseTemplate } from '../../src/input/template.ts'
import { inputIo, readAll, shown } from '../helpers/batch-input.ts'

/** What `shown` has of the rows of a pipe. */
async function rowsOf(text: string | Buffer, format: 'csv' | 'tsv' = 'csv', template?: string): Promise<unknown[]> {
  const options = { format, ...(template !== undefined && { template: parseTemplate(template) }) }
  return (await readAll(await openInput(undefined, options, inputIo([Buffer.from(text)])))).map(shown)
}

/** `2: a|b` for the cells of line 2, `2: what is wrong` for an invalid row, `2` for a blank one. */
async function briefly(text: string | Buffer): Promise<string[]> {
  const rows = (await rowsOf(text)) as [line: number, row?: object | string][]
  return rows.map(([line, row]) => {
    if (row === undefined) return String(line)
    const problem = typeof row === 'string' && row.replace(`standard input, line ${line}: `, '')
    return `${line}: ${problem || Object.values(row).join('|')}`
  })
}

const inside = 'quote inside an unquoted column'
const behind = 'text after a closing quote'

describe('each row has its own line end, and is', () => {
  test.each<[what: string, text: string, rows: string[]]>([
    ['ended by CRLF, LF, CR or the end', 'a,b\r\n1,2\n3,4\r5,6', ['2: 1|2', '3: 3|4', '4: 5|6']],
    ['not made by a blank line', 'a,b\r\r\n\n1,2\r\n\r\n\r3,4\n\n', ['4: 1|2', '7: 3|4']],
    // A spreadsheet may have empty rows above its table.
    ['nothing above the header', '\n,\n"",""\na,b\n1,2\n', ['5: 1|2']],
    ['as it is within quotes', 'a,b\r\n"x\r\ny\rz\nu",2\r\n3,4\r\n', ['2: x\r\ny\rz\nu|2', '6: 3|4']],
    ['blank without a value', 'a,b\n,\n" ",\t\n  \n""\n1,\n', ['2', '3', '4', '5', '6: 1|']],
    ['whole with blanks around quotes', 'a,b\n "x,1",\t"y"\n"x" ,"y"\t\n', ['2: x,1|y', '3: x|y']],
    ['whole with quotes in quotes', 'a,b\n"""x""","y"""""\n"""",""\n', ['2: "x"|y""', '3: "|']],
    ['invalid with a quote in a text', 'a,b\n1,5" "x\n2,3\n', [`2: ${inside}`, '3: 2|3']],
    [
      'invalid with a text behind quotes',
      'a,b\n"x"y,z\n"x" "y",2\n""x,\n3,4\n',
      [`2: ${behind}`, `3: ${behind}`, `4: ${behind}`, '5: 3|4'],
    ],
  ])('%s', async (_what, text, rows) => {
    expect(await briefly(text)).toEqual(rows)
  })

  test('a text with quotes in TSV, where many programs do not quote', async () => {
    const text = 'a\tb\n5"\t"x" y "z"\n "x\t"x\ty"\n6\t"x\n7\ty\n8\t"z\n'
    expect(await rowsOf(text, 'tsv')).toEqual([
      [2, { a: '5"', b: '"x" y "z"' }],
      [3, { a: ' "x', b: 'x\ty' }],
      [4, { a: '6', b: '"x' }],
      [5, { a: '7', b: 'y' }],
      [6, { a: '8', b: '"z' }],
    ])
  })
})

test.each<[template: string, blank: boolean[]]>([
  ['{{a}}', [false, true, true]],
  ['{{a}}{{b}}', [false, false, true]],
  ['{{.}}', [false, false, true]],
  ['fixed', [false, false, true]],
])('a row is blank if the template uses none of its values: %s', async (template, blank) => {
  const rows = await rowsOf('a,b\n1,\n ,2\n,\n', 'csv', template)
  expect(rows.map((row) => (row as unknown[]).length === 1)).toEqual(blank)
})

describe('a column', () => {
  test.each<[header: string, template: string, value: unknown]>([
    ['Text,n', '{{text}}', { Text: '1', n: '2' }],
    [' Text ,n', '{{TEXT}}', { ' Text ': '1', n: '2' }],
    ['id,id,text', '{{text}}', { text: '3' }],
  ])('of %s is found by %s', async (header, template, value) => {
    const cells = header.split(',').map((_, column) => column + 1)
    expect(await rowsOf(`${header}\n${cells.join()}\n`, 'csv', template)).toEqual([[2, value]])
  })

  test.each([
    ['Text,TEXT', '{{text}}', 'no column "text" (available: "Text", "TEXT")'],
    ['n,n,text', '{{n}}', 'two columns are named "n"'],
  ])('of %s is refused for %s', async (header, template, message) => {
    await expect(rowsOf(`${header}\n`, 'csv', template)).rejects.toThrow(`line 1: ${message}`)
  })
})

/** What is another way on purpose. */
const others: Readonly<Record<string, string>> = {
  'location_coordinates.csv': 'a quote inside an unquoted cell may be half of a pair: the row is invalid',
}

const spectrum = dirname(createRequire(import.meta.url).resolve('csv-spectrum/package.json'))

test.each(readdirSync(join(spectrum, 'csvs')))('csv-spectrum: %s', async (name) => {
  const rows = await rowsOf(readFileSync(join(spectrum, 'csvs', name)))
  const json = JSON.parse(readFileSync(join(spectrum, 'json', name.replace('.csv', '.json')), 'utf8')) as unknown
  if (name in others) expect(rows).toEqual([[2, `standard input, line 2: ${inside}`]])
  else expect(rows.map((row) => (row as unknown[])[1])).toEqual(json)
})
