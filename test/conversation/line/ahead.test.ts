/** What is typed while nobody reads. */

import { expect, test } from 'vitest'
import { Ahead, heldText } from '../../../src/conversation/line/ahead.ts'
import type { Input } from '../../../src/conversation/line/keys.ts'

const history = ['before']

/** @param keys Names in angle brackets, and text. */
function inputs(keys: string): Input[] {
  return [...keys.matchAll(/<([^>]+)>|[^]/g)].map(([text, name]) =>
    name === undefined ? { kind: 'text', text } : { kind: 'key', name },
  )
}

function ahead(keys: string): Ahead {
  const all = new Ahead()
  for (const input of inputs(keys)) all.add(input)
  return all
}

test.each<[keys: string, text: string]>([
  ['', ''],
  ['one', 'one'],
  ['one<return>', 'one'],
  ['one<return><return>two', 'one\ntwo'],
  ['ac<left>b<return>d', 'abc\nd'],
  ['one<return><backspace>two', 'one\ntwo'],
  ['one<ctrl-u>two<return>', 'two'],
  ['one\\<return>two<return>three', 'one\ntwo\nthree'],
  ['<up>!<return>', 'before!'],
  ['one<ctrl-d>', 'one'],
  ['<ctrl-d>', ''],
  ['on<tab>e<ctrl-g><ctrl-l>', 'one'],
])('%s is held as %j', (keys, text) => {
  expect(heldText(inputs(keys), history)).toBe(text)
})

test('what is not held is received as it was typed', () => {
  const all = ahead('one<return>two')
  expect([all.takeHeld(history), all.takeInputs(), all.takeInputs()]).toEqual(['', inputs('one<return>two'), []])
})

test('once something is held, so is what goes on from it, until it is taken', () => {
  const all = ahead('one<return>')
  all.hold(history)
  for (const input of inputs('two<return>')) all.add(input)
  expect([all.takeHeld(history), all.takeInputs()]).toEqual(['one\ntwo', []])
  for (const input of inputs('three')) all.add(input)
  expect([all.takeHeld(history), all.takeInputs()]).toEqual(['', inputs('three')])
})

test('where there is nothing to hold, what follows counts as ever', () => {
  const all = ahead('x<backspace><ctrl-d>')
  all.hold(history)
  for (const input of inputs('two<return>')) all.add(input)
  expect([all.takeHeld(history), all.takeInputs()]).toEqual(['', inputs('two<return>')])
})
