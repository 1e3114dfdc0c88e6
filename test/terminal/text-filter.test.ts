/** Text that waits for its form to be loaded. */

import { expect, test } from 'vitest'
import { LateForm, type TextForm } from '../../src/terminal/text-filter.ts'

const loud: TextForm = { push: (text) => text.toUpperCase(), end: () => '!', loading: undefined }

test('text waits, and comes in the form when that is there', async () => {
  const form = new LateForm(Promise.resolve(loud))
  expect([form.push('one '), form.push('two ')]).toEqual(['', ''])
  await form.loading
  expect(form.loading).toBe(undefined)
  expect([form.push(''), form.push('three'), form.end()]).toEqual(['ONE TWO ', 'THREE', '!'])
})

test('an end before that gives the text as it is', () => {
  const form = new LateForm(Promise.resolve(loud))
  expect([form.push('one'), form.end()]).toEqual(['', 'one'])
})

test('so does a form that never comes', async () => {
  const form = new LateForm(Promise.reject(new Error('no such file')))
  form.push('one ')
  await form.loading
  expect([form.push('two'), form.end()]).toEqual(['one two', ''])
})
