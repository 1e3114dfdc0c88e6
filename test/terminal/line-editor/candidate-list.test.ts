/** The list below the line: what it offers for what is typed, and its rows. */

import { describe, expect, test } from 'vitest'
import { choose, layOutList, listCandidates, type Candidate } from '../../../src/terminal/line-editor/candidate-list.ts'
import { listOf } from './marked.ts'

function found(query: string, candidates: readonly Candidate[]): string[] {
  const list = listCandidates({ start: 1, candidates }, `/${query}`)
  return list?.matches.map(({ text }) => text) ?? []
}

const words = (text: string): Candidate[] => text.split(',').map((word) => ({ text: word, help: 'xyz' }))

describe('what matches', () => {
  test.each<[what: string, query: string, candidates: string, found: string]>([
    [
      'exactly, by the start, by words, in one piece, in order',
      'set',
      'xsxextx,se-t,reset,a/settle,settle,set ',
      'set ,settle,a/settle,se-t,reset',
    ],
    ['the starts of words', 'mato', 'mattock,max_tokens,tomato', 'max_tokens,tomato,mattock'],
    ['without case', 'ReAd', 'src/readme.md,README.md', 'README.md,src/readme.md'],
    ['not letters that are scattered over the text', 'eio', 'verification,deviation', ''],
    ['two letters anywhere', 'eo', 'reason', 'reason'],
  ])('%s', (_what, query, candidates, expected) => {
    expect(found(query, words(candidates)).join(',')).toBe(expected)
  })

  test('by what is inserted and by what is shown', () => {
    const candidates = [{ text: '20261121-101512', shown: 'Say hello in Welsh' }]
    for (const query of ['20261121', 'welsh', 'say h']) expect(found(query, candidates)).toHaveLength(1)
  })
})

describe('the rows', () => {
  const many = listOf(Array.from({ length: 41 }, (_, index) => `name-${index + 1}`))!
  const rowsOf = (list: typeof many, columns = 40, rows = 8): string[] =>
    layOutList(list, { columns, rows }, (text) => `(${text})`).map(({ lead, text }) => lead + text)

  test.each<[steps: number, first: string, marked: string | undefined, last: string]>([
    [0, '  name-1   (name-1 name-1)', undefined, '  (… 34 more)'],
    [1, '> name-1   name-1 name-1', 'name-1', '  (1 of 41)'],
    [20, '  name-17  (name-17 name-17)', 'name-20', '  (20 of 41)'],
    [-1, '  name-35  (name-35 name-35)', 'name-41', '  (41 of 41)'],
  ])('after %i steps', (steps, first, marked, last) => {
    let list = many
    for (let step = 0; step < Math.abs(steps); step++) list = choose(list, Math.sign(steps) as 1 | -1)
    const rows = rowsOf(list)
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([8, first, last])
    expect(rows.filter((row) => row.startsWith('>')).map((row) => row.split(' ')[1])).toEqual(marked ? [marked] : [])
  })

  test.each<[what: string, name: string, help: string | undefined, columns: number, row: string]>([
    ['control characters', '\u001b[2Ja\tb\nc', undefined, 40, '  ␛[2Ja b c'],
    ['an explanation that is cut', 'name', 'a longer explanation', 20, '  name  (a longer ex…)'],
    ['a long name with its explanation', 'x'.repeat(99), '3 messages', 60, `  ${'x'.repeat(39)}…  (3 messages)`],
  ])('%s', (_what, name, help, columns, row) => {
    const list = listCandidates({ start: 0, candidates: [{ text: name, help }] }, '')!
    expect(rowsOf(list, columns)).toEqual([row])
  })

  test.each([
    [8, 9, []],
    [2, 40, ['  name-1   (name-1 name-1)', '  (… 40 more)']],
  ])('none, or the first, in %i rows and %i columns', (rows, columns, expected) => {
    expect(rowsOf(many, columns, rows)).toEqual(expected)
  })
})
