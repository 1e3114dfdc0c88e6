import { expect, test } from 'vitest'
import { withoutTimes } from '../../../man/picture/times.ts'

test.each([
  [
    'a slower answer',
    '<text textLength="84">9.98 s · 61 tokens/s</text>',
    '<text textLength="92.4">10.02 s · 59 tokens/s</text>',
  ],
])('the same but for times: %s', (_what, one, other) => {
  expect(withoutTimes(one)).toBe(withoutTimes(other))
})

test.each([
  ['tokens', '9 + 103 tokens · 1.82 s', '9 + 104 tokens · 1.82 s'],
  ['a place', '<text x="8.4">1.82 s</text>', '<text x="16.8">1.82 s</text>'],
])('not the same: %s', (_what, one, other) => {
  expect(withoutTimes(one)).not.toBe(withoutTimes(other))
})
