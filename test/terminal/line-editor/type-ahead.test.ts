/** Input while no line is being read. */

import { expect, test } from 'vitest'
import { TypeAhead, linesTyped } from '../../../src/terminal/line-editor/type-ahead.ts'
import type { KeyboardInput } from '../../../src/terminal/line-editor/keyboard.ts'

const history = ['before']

/** @param keys Names in angle brackets, and text. */
function inputs(keys: string): KeyboardInput[] {
  return [...keys.matchAll(/<([^>]+)>|[^]/g)].map(([text, name]) =>
    name === undefined ? { kind: 'text', text } : { kind: 'key', name },
  )
}

function ahead(keys: string): TypeAhead {
  const all = new TypeAhead()
  for (const input of inputs(keys)) all.add(input)
  return all
}

test.each<[keys: string, ...texts: string[]]>([
  [''],
  ['one', 'one'],
  ['one<return>', 'one'],
  ['one<return><return>two', 'one', 'two'],
  ['ac<left>b<return>d', 'abc', 'd'],
  ['one<return><backspace>two', 'one', 'two'],
  ['one<ctrl-u>two<return>', 'two'],
  ['one\\<return>two<return>three', 'one\ntwo', 'three'],
  ['<up>!<return>', 'before!'],
  ['one<ctrl-d>', 'one'],
  ['<ctrl-d>'],
  ['on<tab>e<ctrl-g><ctrl-l>', 'one'],
])('%s is held as %j', (keys, ...texts) => {
  expect(linesTyped(inputs(keys), history)).toEqual(texts)
})

test('input that is not held is returned as typed', () => {
  const all = ahead('one<return>two')
  expect([all.takeHeld(history, true), all.takeInputs(), all.takeInputs()]).toEqual(['', inputs('one<return>two'), []])
})

test('held text is continued by later input, until it is taken', () => {
  const all = ahead('one<return>')
  all.hold(history)
  for (const input of inputs('two<return>')) all.add(input)
  expect([all.takeHeld(history, true), all.takeInputs()]).toEqual(['one', []])
  for (const input of inputs('three')) all.add(input)
  expect([all.takeHeld(history, false), all.takeInputs()]).toEqual(['', []])
  expect([all.takeHeld(history, true), all.takeHeld(history, true)]).toEqual(['two', 'three'])
  for (const input of inputs('four')) all.add(input)
  expect([all.takeHeld(history, true), all.takeInputs()]).toEqual(['', inputs('four')])
})

test('if there is nothing to hold, later input is not held', () => {
  const all = ahead('x<backspace><ctrl-d>')
  all.hold(history)
  for (const input of inputs('two<return>')) all.add(input)
  expect([all.takeHeld(history, true), all.takeInputs()]).toEqual(['', inputs('two<return>')])
})
