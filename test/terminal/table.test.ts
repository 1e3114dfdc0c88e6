/** Tables on terminals of any width. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asSafeAs, asSafeText } from '../../src/io/text/safe-text.ts'
import { tableLines, type Column } from '../../src/terminal/table.ts'
import { widthOf } from '../../src/terminal/width.ts'
import { samples } from '../helpers/samples.ts'

const columns: Column[] = [
  { title: 'NAME' },
  { title: 'SIZE', align: 'right', shrinkOrder: 1 },
  { title: 'WORDS', shrinkOrder: 2, minimum: 8 },
]
const rows = [
  ['alpha', '7', 'one, two, three'],
  ['be', '1234567', 'four'],
]

function table(width: number, body = rows, head = columns): string[] {
  const cells = body.map((row) => row.map(asSafeText))
  return tableLines(head, cells, { width, heading: (title) => asSafeAs(title, title.toLowerCase()) })
}

test.each<[width: number, lines: string[]]>([
  [31, ['name      size  words', 'alpha        7  one, two, three', 'be     1234567  four']],
  [24, ['name      size  words', 'alpha        7  one, tw…', 'be     1234567  four']],
  [23, ['name      size', 'alpha        7', 'be     1234567']],
  [13, ['name', 'alpha', 'be']],
])('in %i columns', (width, lines) => {
  expect(table(width)).toEqual(lines)
})

test('columns that never shrink stand side by side, or below each other', () => {
  const head: Column[] = [{ title: 'FROM' }, { title: 'TO' }]
  const body = [
    ['left', 'a long right side'],
    ['alone', ''],
  ]
  expect(table(24, body, head)).toEqual(['from   to', 'left   a long right side', 'alone'])
  expect(table(23, body, head)).toEqual(['left', '  a long right side', 'alone'])
})

test('a column that is empty in all rows is left out', () => {
  expect(table(80, [['a', '', 'x'], ['b']])).toEqual(['name  words', 'a     x', 'b'])
})

test('only columns that never shrink are wider than the terminal', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '日', '👍', 'é'), maxLength: 30 })
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell)), fc.integer({ min: 1, max: 100 }), (body, width) => {
      const widest = Math.max(4, ...body.map(([name]) => widthOf(name)))
      for (const line of table(width, body)) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(width, widest))
      for (const [index, [name]] of body.entries()) {
        if (name !== '' && body.length > 0) expect(table(width, body)[index + 1]).toContain(name.trimEnd())
      }
    }),
    samples(),
  )
})

test('a cell of many marks is cut: with millions, the package that measures would end the stack', () => {
  const marks = '\u0301'.repeat(50_000)
  const [, line = ''] = table(80, [['a'.repeat(2000), '1', `b${marks}`]])
  expect(line.length).toBeLessThan(12_000)
  expect(widthOf(marks.slice(0, 10_000))).toBe(0)
})
