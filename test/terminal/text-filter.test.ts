/** A filter that is still loading holds text back. */

import { expect, test } from 'vitest'
import { DeferredFilter, type TextFilter } from '../../src/terminal/text-filter.ts'

const upperCase: TextFilter = { push: (text) => text.toUpperCase(), end: () => '!', loading: undefined }

test('text is held back until the filter is loaded, then passes through it', async () => {
  const filter = new DeferredFilter(Promise.resolve(upperCase))
  expect([filter.push('one '), filter.push('two ')]).toEqual(['', ''])
  await filter.loading
  expect(filter.loading).toBe(undefined)
  expect([filter.push(''), filter.push('three'), filter.end()]).toEqual(['ONE TWO ', 'THREE', '!'])
})

test('if the text ends before that, it is unchanged', () => {
  const filter = new DeferredFilter(Promise.resolve(upperCase))
  expect([filter.push('one'), filter.end()]).toEqual(['', 'one'])
})

test('if the filter fails to load, the text is unchanged', async () => {
  const filter = new DeferredFilter(Promise.reject(new Error('no such file')))
  filter.push('one ')
  await filter.loading
  expect([filter.push('two'), filter.end()]).toEqual(['one two', ''])
})
