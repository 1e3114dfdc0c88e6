/** Suggestions for typos. */

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
  ['b', ['a'], undefined],
  ['b', ['a', 'ab', 'xy'], undefined],
  ['ls', ['rm'], undefined],
  ['ab', ['ac'], undefined],
  ['rmm', ['list', 'rm'], 'rm'],
  ['shw', ['show', 'rm'], 'show'],
  ['wrk', ['work'], 'work'],
  ['hom', ['home'], 'home'],
  ['lsit', ['list'], 'list'],
  ['lost', ['list'], 'list'],
  ['cat', ['dog', 'car'], 'car'],
  ['abc', ['xyc'], undefined],
  ['notes', ['votes', 'other'], 'votes'],
  ['notes', ['vodes'], undefined],
  ['promt', ['prompt', 'model'], 'prompt'],
  ['quota', ['quotas', 'quote'], 'quotas'],
])('%s among %j is %s', (word, candidates, meant) => {
  expect(nearest(word, candidates)).toBe(meant)
})
