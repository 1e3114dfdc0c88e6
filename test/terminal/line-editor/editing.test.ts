/** Editing actions. */

import { describe, expect, test } from 'vitest'
import {
  type EditAction,
  editActions,
  type EditorState,
  insert,
  lineDown,
  lineUp,
} from '../../../src/terminal/line-editor/editing.ts'
import { editing, marked } from './marked.ts'

function act(state: EditorState, names: string): EditorState {
  return names.split(' ').reduce((state, name) => editActions[name as EditAction](state), state)
}

test.each<[before: string, names: string, after: string]>([
  ['ab|c', 'characterRight characterRight', 'abc|'],
  ['a👨‍👩‍👧|b', 'characterLeft', 'a|👨‍👩‍👧b'],
  ['one two-three|', 'wordLeft', 'one two-|three'],
  ['|one, two', 'wordRight', 'one|, two'],
  ['日本|語 x', 'wordRight', '日本語| x'],
  ['one\ntw|o', 'toLineStart', 'one\n|two'],
  ['a👩‍👩‍👧|b', 'deleteLeft', 'a|b'],
  ['🇩🇪🇫🇷|', 'deleteLeft', '🇩🇪|'],
  // Thai, Devanagari, Hangul by its letters, Hebrew, Latin
  ['ที่|', 'deleteLeft', 'ที|'],
  ['\u1112\u1161\u11ab|', 'deleteLeft', '\u1112\u1161|'],
  ['שָׁ|', 'deleteLeft deleteLeft', 'ש|'],
  ['one\n|two', 'deleteLeft', 'one|two'],
  ['a|b', 'newLine', 'a\n|b'],
])('%j %s %j', (before, names, after) => {
  expect(marked(act(editing(before), names))).toBe(after)
})

describe('kills', () => {
  test.each<[before: string, names: string, after: string]>([
    ['on|e\ntwo', 'killToLineEnd', 'on|\ntwo'],
    ['one|\ntwo', 'killToLineEnd', 'one|two'],
    ['one\n|two', 'killToLineStart', 'one|two'],
    ['a/b c/d|', 'killBlankWordLeft', 'a/b |'],
    ['a/b c/d|', 'killWordLeft', 'a/b c/|'],
    ['one two|', 'killWordLeft killWordLeft yank', 'one two|'],
    ['one two|', 'killBlankWordLeft toLineStart killToLineEnd yank', 'one |'],
    ['one two|', 'killWordLeft undo', 'one two|'],
  ])('%j %s %j', (before, names, after) => {
    expect(marked(act(editing(before), names))).toBe(after)
  })
})

describe('up and down', () => {
  test('keep the column where they started, in terminal columns', () => {
    let state = editing('日本語|x\nab\nabcdefgh')
    const seen = [lineDown, lineDown, lineDown, lineUp, lineUp].map((move) => marked((state = move(state))))
    expect(seen).toEqual([
      '日本語x\nab|\nabcdefgh',
      '日本語x\nab\nabcdef|gh',
      '日本語x\nab\nabcdef|gh',
      '日本語x\nab|\nabcdefgh',
      '日本語|x\nab\nabcdefgh',
    ])
  })

  test('start from the current column after any other key', () => {
    expect(marked(lineDown(editActions.toLineStart(lineDown(editing('abc|\nx\ndef')))))).toBe('abc\nx\n|def')
  })
})

describe('undo', () => {
  function type(state: EditorState, text: string): EditorState {
    return [...text].reduce((state, character) => insert(state, character, 'typing'), state)
  }

  test('removes consecutive characters together', () => {
    const typed = type(editActions.toLineStart(type(editing('|'), 'world')), 'hello ')
    expect([typed, act(typed, 'undo'), act(typed, 'undo undo'), act(typed, 'undo undo undo')].map(marked)).toEqual([
      'hello |world',
      '|world',
      '|',
      '|',
    ])
  })

  test('removes a paste as a whole, but not what was typed before it', () => {
    expect(marked(act(insert(type(editing('|'), 'see: '), 'a\r\nb\rc'), 'undo'))).toBe('see: |')
  })
})
