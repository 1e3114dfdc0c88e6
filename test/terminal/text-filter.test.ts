/** A filter that is still loading holds text back. */

import { expect, test } from 'vitest'
import { asSafeText, safe } from '../../src/io/text/safe-text.ts'
import { sanitizingFilter, type TextFilter } from '../../src/terminal/text-filter.ts'

const upperCase: TextFilter = { push: (text) => asSafeText(text.toUpperCase()), end: () => safe`!`, loading: undefined }

test('text is held back until the filter is loaded, then passes through it', async () => {
  const filter = sanitizingFilter(Promise.resolve(upperCase))
  expect([filter.push('one '), filter.push('two ')]).toEqual(['', ''])
  await filter.loading
  expect(filter.loading).toBe(undefined)
  expect([filter.push(''), filter.push('three'), filter.end()]).toEqual(['ONE TWO ', 'THREE', '!'])
})

test('text that was held back is not lost if the text ends then', async () => {
  const filter = sanitizingFilter(Promise.resolve(upperCase))
  filter.push('one')
  await filter.loading
  expect(filter.end()).toBe('ONE!')
})

test('if the filter fails to load, the text is unchanged', async () => {
  const filter = sanitizingFilter(Promise.reject(new Error('no such file')))
  filter.push('one ')
  await filter.loading
  expect([filter.push('two'), filter.end()]).toEqual(['one two', ''])
})

test('line ends of Windows are unified wherever the text is cut; a carriage return at the end is shown', () => {
  const filter = sanitizingFilter()
  const pieces = ['a\r', '\nb\r', 'c\r']
  expect([...pieces.map((piece) => filter.push(piece)), filter.end()].join('')).toBe('a\nb␍c␍')
})
