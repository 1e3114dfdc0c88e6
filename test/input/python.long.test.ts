/** Tables that Python's csv writes in all of its dialects, and texts at random, are read as Python reads them. */

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openInput } from '../../src/batch/input/input.ts'
import { inputIo, readAll, shown } from '../helpers/batch-input.ts'
import { needs } from '../helpers/installed.ts'

/**
 * Prints a line for each table: its format, its text, and its rows. Of what Python can write, two things are left out: text without
 * quotes and with escapes (`QUOTE_NONE`, `doublequote=False`), which no spreadsheet writes.
 */
const script = `
import csv, io, json, random
random.seed(20261127)
units = ['a', 'é', '😀', ' ', '\\t', ',', ';', '|', '"', '""', '\\n', '\\r\\n', '\\r', '\\ufeff', '1.5', 'sep=']
ends = ['\\n', '\\r\\n', '\\r']

def show(format, dialect, text):
    rows = list(csv.reader(io.StringIO(text, newline=''), dialect))
    print(json.dumps({'format': format, 'text': text, 'rows': rows}))

def cell():
    return random.choice([lambda: '', lambda: random.random(), lambda: ''.join(random.choices(units, k=random.randint(0, 6)))])()

for dialect in csv.list_dialects():
    for quoting in [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]:
        for end in ends + [None]:
            for _ in range(50):
                width = random.randint(1, 4)
                text = io.StringIO(newline='')
                for row in [['c%d' % at for at in range(width)]] + [[cell() for _ in range(width)] for _ in range(random.randint(0, 8))]:
                    csv.writer(text, dialect, quoting=quoting, lineterminator=end or random.choice(ends)).writerow(row)
                whole = text.getvalue()
                show('tsv' if dialect == 'excel-tab' else 'csv', dialect, whole if random.random() < 0.5 else whole.rstrip('\\r\\n'))

for _ in range(5000):
    show('csv', 'excel', 'c0,c1\\n' + ''.join(random.choices(['a', 'b', ',', ',', '"', '"', '\\n', '\\r\\n', '\\r'], k=random.randint(1, 30))))
`

interface Table {
  readonly format: 'csv' | 'tsv'
  readonly text: string
  readonly rows: readonly (readonly string[])[]
}

test('as Python reads them', async (context) => {
  const python = spawnSync('python3', ['-c', script], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  needs('Python', python.status === 0)(context)
  const tables = python.stdout.trimEnd().split('\n')
  let [valid, invalid] = [0, 0]
  for (const json of tables) {
    const { format, text, rows } = JSON.parse(json) as Table
    const [header = [], ...others] = rows
    // On purpose: rows without a value are blank, and an unclosed quote ends the run, as it may hide any number of rows.
    const expected = others.filter((cells) => cells.some((cell) => cell.trim() !== ''))
    const bytes = Buffer.from(text)
    const cut = bytes.length >> 1
    const reading = openInput(undefined, { format }, inputIo([bytes.subarray(0, cut), bytes.subarray(cut)])).then(
      readAll,
    )
    const items = await reading.catch((error: unknown) => String(error))
    if (typeof items === 'string') {
      expect({ text, items }).toEqual({ text, items: expect.stringContaining('unclosed quote') as string })
      continue
    }
    const read = items.filter((item) => !('isBlank' in item))
    // On purpose: with text after its closing quote, a cell of several lines is none, and the rows below are read.
    if (read.some((item) => 'error' in item && /unclosed quote/.test(item.error.message))) continue
    expect({ text, count: read.length }).toEqual({ text, count: expected.length })
    for (const [at, item] of read.entries()) {
      const cells = expected[at] ?? []
      const [line, value] = shown(item)
      if (typeof value === 'string') {
        invalid += 1
        // On purpose: a row that may mean something else is invalid.
        const reason = cells.length === header.length ? /quote/ : /quote|number of columns/
        expect({ text, line, value }).toEqual({ text, line, value: expect.stringMatching(reason) as string })
      } else {
        valid += 1
        expect({ text, value }).toEqual({
          text,
          value: Object.fromEntries(header.map((name, column) => [name, cells[column]])),
        })
      }
    }
  }
  // Both are there.
  expect(Math.min(valid, invalid)).toBeGreaterThan(1000)
})
