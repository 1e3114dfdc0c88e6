/** The cursor and Backspace on the test data of Unicode, from the Debian package unicode-data. */

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type EditAction, editActions, startEditing } from '../../../src/terminal/line-editor/editing.ts'
import { needs } from '../../helpers/installed.ts'

const folder = '/usr/share/unicode'
const needsData = needs('unicode-data', existsSync(folder))

/** The first column of a file without its comments. */
function rowsOf(file: string): string[] {
  const lines = readFileSync(`${folder}/${file}`, 'utf8').split('\n')
  return lines.map((line) => line.replace(/[#;].*/, '').trim()).filter(Boolean)
}

function textOf(codes: string): string {
  return codes.replaceAll(/\s*([\dA-F]+)\s*/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
}

/** The positions of the cursor while the action is repeated until it moves no more. */
function stops(text: string, action: EditAction, from: number): number[] {
  const cursors: number[] = []
  let editor = { ...startEditing(text), cursor: from }
  for (let before = -1; before !== editor.cursor; editor = editActions[action](editor)) {
    before = editor.cursor
    cursors.push(before)
  }
  return cursors
}

test('in GraphemeBreakTest, Left and Right stop between clusters', (context) => {
  needsData(context)
  const rows = rowsOf('auxiliary/GraphemeBreakTest.txt')
    // In the editor, lines end in a line feed alone.
    .filter((row) => !row.includes('000D'))
    // A virama joins consonants since Unicode 15.1, and since 17 scissors are no emoji.
    .filter((row) => !/0(?:94|9C|AC|B4|C4|D4)D|2701/.test(row))
  expect(rows.length).toBeGreaterThan(500)
  for (const row of rows) {
    const clusters = row.split('÷').map((codes) => textOf(codes).replaceAll('×', ''))
    const text = clusters.join('')
    const expected = clusters.slice(0, -1).map((_, index) => clusters.slice(0, index + 1).join('').length)
    expect([row, stops(text, 'characterRight', 0)]).toEqual([row, expected])
    expect([row, stops(text, 'characterLeft', text.length)]).toEqual([row, expected.toReversed()])
  }
})

test('Backspace deletes each emoji of emoji-test as a whole', (context) => {
  needsData(context)
  const rows = rowsOf('emoji/emoji-test.txt')
  expect(rows.length).toBeGreaterThan(4000)
  expect(rows.filter((row) => editActions.deleteLeft(startEditing(`a${textOf(row)}`)).text !== 'a')).toEqual([])
})
