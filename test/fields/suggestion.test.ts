/** Suggestions for typos. */

import { expect, test } from 'vitest'
import { closest, closestOf } from '../../src/fields/suggestion.ts'

const efforts = ['low', 'medium', 'high']

test.each<[word: string, candidates: string[], meant: string | undefined]>([
  ['mediun', efforts, 'medium'],
  ['MEDIUM', efforts, 'medium'],
  ['meduim', efforts, 'medium'],
  ['extreme', efforts, undefined],
  ['x', [], undefined],
  ['b', ['a', 'ab', 'xy'], undefined],
  ['ab', ['ac'], undefined],
  ['rmm', ['list', 'rm'], 'rm'],
  ['shw', ['show', 'rm'], 'show'],
  ['lost', ['list'], 'list'],
  ['cat', ['dog', 'car'], 'car'],
  ['abc', ['xyc'], undefined],
  ['notes', ['votes', 'other'], 'votes'],
  ['notes', ['vodes'], undefined],
])('%s among %j is %s', (word, candidates, meant) => {
  expect(closest(word, candidates)).toBe(meant)
})

test('words and candidates of any length take no time', () => {
  const long = 'hf:' + 'x'.repeat(5_000_000)
  expect(closest('hf:xxxx', [long])).toBeUndefined()
  expect(closestOf('hf:xxxx', [long, 'hf:xxx'], 3)).toEqual(['hf:xxx'])
  expect(closestOf(long, [`${long}x`, 'hf:xxx'], 3)).toEqual([])
})
