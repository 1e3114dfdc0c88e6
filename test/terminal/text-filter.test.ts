/** Text that waits for its filter to be loaded. */

import { expect, test } from 'vitest'
import { DeferredFilter, type TextFilter } from '../../src/terminal/text-filter.ts'

const loud: TextFilter = { push: (text) => text.toUpperCase(), end: () => '!', loading: undefined }

test('text waits, and passes through the filter when that is loaded', async () => {
  const filter = new DeferredFilter(Promise.resolve(loud))
  expect([filter.push('one '), filter.push('two ')]).toEqual(['', ''])
  await filter.loading
  expect(filter.loading).toBe(undefined)
  expect([filter.push(''), filter.push('three'), filter.end()]).toEqual(['ONE TWO ', 'THREE', '!'])
})

test('an end before that leaves the text unchanged', () => {
  const filter = new DeferredFilter(Promise.resolve(loud))
  expect([filter.push('one'), filter.end()]).toEqual(['', 'one'])
})

test('so does a filter that fails to load', async () => {
  const filter = new DeferredFilter(Promise.reject(new Error('no such file')))
  filter.push('one ')
  await filter.loading
  expect([filter.push('two'), filter.end()]).toEqual(['one two', ''])
})
