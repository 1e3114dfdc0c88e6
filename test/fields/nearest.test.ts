/** What somebody most likely meant. */

import { expect, test } from 'vitest'
import { nearest } from '../../src/fields/nearest.ts'

const efforts = ['low', 'medium', 'high']

test.each<[word: string, candidates: string[], meant: string | undefined]>([
  ['medium', efforts, 'medium'],
  ['mediun', efforts, 'medium'],
  ['MEDIUM', efforts, 'medium'],
  ['meduim', efforts, 'medium'],
  ['hihg', efforts, 'high'],
  ['lo', efforts, 'low'],
  ['atuo', ['auto', 'none'], 'auto'],
  ['extreme', efforts, undefined],
  ['', efforts, undefined],
  ['x', [], undefined],
  ['quota', ['quotas', 'quote'], 'quotas'],
])('%s among %j is %s', (word, candidates, meant) => {
  expect(nearest(word, candidates)).toBe(meant)
})
