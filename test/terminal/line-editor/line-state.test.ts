/** Keys that do more than edit: history, search, completion, Enter, Ctrl-C and Ctrl-D. */

import { describe, expect, test } from 'vitest'
import { safe } from '../../../src/io/text/safe-text.ts'
import { startEditing } from '../../../src/terminal/line-editor/editing.ts'
import {
  type LineState,
  applyInput,
  startLine,
  type Step,
  lineView,
  take,
} from '../../../src/terminal/line-editor/line-state.ts'
import { keyHelp, keymap } from '../../../src/terminal/line-editor/keymap.ts'
import { listCandidates, type TabCompletion } from '../../../src/terminal/line-editor/candidate-list.ts'
import { marked } from './marked.ts'

const history = ['first', 'second\nline', 'Third one']

/** @param keys Names in angle brackets, and text. */
function typed(keys: string, from: LineState = startLine(startEditing(), history)): Step {
  let step: Step = { line: from }
  for (const [key, name] of keys.matchAll(/<([^>]+)>|[^]/g)) {
    step = applyInput(step.line, name === undefined ? { kind: 'text', text: key } : { kind: 'key', name })
  }
  return step
}

function shown({ line }: Step): string {
  return marked(lineView(line, safe`> `))
}

test.each<[keys: string, shown: string, others?: { effect?: string; note?: string }]>([
  // The history
  ['<up><up><up>', 'seco|nd\nline'],
  ['<up><up><pageup><up><up>', 'first|'],
  ['draft<left><up><down><down>', 'draf|t'],
  ['a<ctrl-j>b<up><up>', 'Third one|'],
  ['<up><ctrl-w><down><ctrl-y>', 'one|'],
  // The search
  ['<ctrl-r>th', '|Third one', { note: 'search: th' }],
  ['<ctrl-r>i<ctrl-r>', 'second\nl|ine', { note: 'search: i' }],
  ['<ctrl-r>i<ctrl-r><ctrl-r><ctrl-r>', 'f|irst', { note: 'search: i (no more matches)' }],
  ['<ctrl-r>ix', 'Th|ird one', { note: 'search: ix (no more matches)' }],
  ['<ctrl-r>ix<backspace>', 'Th|ird one', { note: 'search: i' }],
  ['<ctrl-r>i<ctrl-r><ctrl-s>', 'Th|ird one', { note: 'search: i' }],
  ['<ctrl-r>S', '|', { note: 'search: S (no more matches)' }],
  ['draft<ctrl-r>fi<ctrl-g>', 'draft|'],
  ['draft<ctrl-r>fi<escape>', '|first'],
  ['<ctrl-r>fi<ctrl-e>!', 'first!|'],
  ['<ctrl-r>fi<return>', '|first', { effect: 'send' }],
  ['draft<ctrl-r>zz<escape>', 'draft|'],
  // Ends
  ['<ctrl-d>', '|', { effect: 'exit' }],
  ['x<ctrl-d>', 'x|'],
  ['<ctrl-c>', '|', { note: 'press Ctrl-C again to exit' }],
  ['<ctrl-c>x', 'x|'],
  ['<ctrl-c><ctrl-c>', '|', { effect: 'exit' }],
  ['<ctrl-c>x<ctrl-c>', '|', { effect: 'shelve' }],
  ['text<ctrl-c><ctrl-_>', 'text|'],
  ['<ctrl-z>', '|', { effect: 'suspend' }],
  ['x<ctrl-g>', 'x|', { effect: 'openEditor' }],
  ['x<ctrl-l>', 'x|', { effect: 'pushScreen' }],
])('%s', (keys, text, { effect, note } = {}) => {
  const step = typed(keys)
  expect([shown(step), step.effect, lineView(step.line, safe`> `).note]).toEqual([text, effect, note])
})

test('a paste goes into the text, not into the query of a search', () => {
  const { line } = applyInput(typed('<ctrl-r>fi').line, { kind: 'paste', text: 'a\nb' })
  expect(line.editor.text).toBe('a\nbfirst')
})

describe('Enter', () => {
  const entered = (text: string): Step => applyInput(startLine(startEditing(text), []), { kind: 'key', name: 'return' })

  test.each<[text: string, sent: string]>([
    ['hello', 'hello'],
    ['ends in \\\\', 'ends in \\\\'],
  ])('%j is sent as %j', (text, sent) => {
    const { effect, line } = entered(text)
    expect([effect, line.editor.text]).toEqual(['send', sent])
  })

  test.each<[text: string, after: string]>([
    ['goes on\\', 'goes on\n|'],
    ['three\\\\\\', 'three\\\\\n|'],
    ['', '|'],
  ])('%j is not sent', (text, after) => {
    const { effect, line } = entered(text)
    expect(effect).toBeUndefined()
    expect(marked(line.editor)).toBe(after)
  })
})

describe('completion', () => {
  const words = (texts: string[]): TabCompletion => ({
    start: 0,
    candidates: texts.map((text) => ({ text })),
  })

  /** With a list of three words for all that is typed. */
  const listed = (text: string): LineState => {
    const { line } = typed(text)
    return { ...line, list: listCandidates(words(['one ', 'two', 'three']), '') }
  }

  test.each<[keys: string, shown: string, effect: string | undefined, choice: number | undefined]>([
    ['<down><down><tab>', 'two|', undefined, undefined],
    ['<up><return>', 'three|', undefined, undefined],
    ['<down><down><down><down>', '/x|', undefined, undefined],
    ['<return>', '/x|', 'send', undefined],
    ['<escape>', '/x|', undefined, undefined],
    ['<tab><ctrl-_>', '/x|', undefined, undefined],
  ])('with a list that is shown: %s', (keys, text, effect, chosen) => {
    let step: Step = { line: listed('/x') }
    for (const [, name = ''] of keys.matchAll(/<([^>]+)>/g)) {
      step = applyInput(step.line, { kind: 'key', name }, { hasList: step.line.list !== undefined })
    }
    expect([shown(step), step.effect, step.line.list?.chosen]).toEqual([text, effect, chosen])
  })

  test.each<[key: string, effect: string | undefined]>([
    ['up', undefined],
    ['return', 'send'],
    ['tab', 'complete'],
  ])('a list for which there is no room takes no keys: %s', (name, effect) => {
    const { line } = typed('/x')
    const before = { ...listed('/x'), list: { ...listed('/x').list!, chosen: 1 } }
    const [step, without] = [before, line].map((one) => applyInput(one, { kind: 'key', name }))
    expect([step?.effect, step?.line.editor.text]).toEqual([effect, without?.line.editor.text])
  })

  test('only the text between the start and the cursor is replaced, a space is not doubled, and undo restores it', () => {
    const { line } = typed('see fi now<ctrl-left><left>')
    const completion = { start: 4, candidates: [{ text: 'file.txt ' }] }
    const completed = { ...line, ...take({ ...line, list: listCandidates(completion, 'see fi') }) }
    expect(marked(completed.editor)).toBe('see file.txt |now')
    expect(shown(typed('<ctrl-_>', completed))).toBe('see fi| now')
  })
})

test('the help about keys names only keys that are bound', () => {
  const keys = keyHelp.flatMap(({ keys }) => keys.split(', '))
  const names = keys.map((key) => key.toLowerCase().replace('enter', 'return').replace('esc', 'escape'))
  expect(names.filter((name) => keymap[name] === undefined)).toEqual([])
})
