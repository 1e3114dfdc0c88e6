/** Properties of any sequence of keys, text and pastes. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safe } from '../../../src/io/text/safe-text.ts'
import { editActions, startEditing, type EditorState } from '../../../src/terminal/line-editor/editing.ts'
import { layOutFrame } from '../../../src/terminal/line-editor/layout.ts'
import { keymap } from '../../../src/terminal/line-editor/keymap.ts'
import type { KeyboardInput } from '../../../src/terminal/line-editor/key-sequences.ts'
import { applyInput, startLine, lineView, take } from '../../../src/terminal/line-editor/line-state.ts'
import { listCandidates } from '../../../src/terminal/line-editor/candidate-list.ts'
import { samples } from '../../helpers/samples.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const history = ['one', 'two\nlines 日本', '👨‍👩‍👧 é\u0301']

const piece = fc.constantFrom('a', ' ', '"', '\n', '日', 'e\u0301', '👨‍👩‍👧', '\u200d', '🇩🇪', '\ufe0f', '\u001b')
const input: fc.Arbitrary<KeyboardInput> = fc.oneof(
  fc.constantFrom(...Object.keys(keymap), 'escape', 'ctrl-s').map((name): KeyboardInput => ({ kind: 'key', name })),
  piece.map((text): KeyboardInput => ({ kind: 'text', text })),
  fc.array(piece, { maxLength: 12 }).map((pieces): KeyboardInput => ({ kind: 'paste', text: pieces.join('') })),
)

function expectBoundary({ text, cursor }: Pick<EditorState, 'text' | 'cursor'>): void {
  const boundaries = [...segmenter.segment(text)].map(({ index }) => index)
  expect([...boundaries, text.length]).toContain(cursor)
}

test('the cursor is between two graphemes and inside the frame', () => {
  fc.assert(
    fc.property(fc.array(input, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (inputs, columns) => {
      let line = startLine(startEditing(), history)
      for (const input of inputs) {
        const step = applyInput(line, input, { hasList: line.list !== undefined })
        line = step.line
        if (step.effect === 'complete') {
          const { cursor, text } = line.editor
          const completion = { start: cursor, candidates: [{ text: 'é\u0301x' }, { text: 'éy' }] }
          line = { ...line, list: listCandidates(completion, text.slice(0, cursor)) }
          if (text.length % 2 === 1) line = { ...line, ...take(line) }
        }
        expectBoundary(line.editor)
        const view = lineView(line, safe`> `)
        expectBoundary(view)
        const frame = layOutFrame(view, { columns, rows: 24 }, (text) => text)
        expect(frame.rows[frame.cursor.row]).toBeDefined()
        expect(frame.cursor.column).toBeLessThan(Math.max(columns, 3))
        expect(frame.rows.length).toBeLessThan(24)
      }
    }),
    samples(50),
  )
})

test('undo restores the first text', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), fc.array(input, { maxLength: 40 }), (before, inputs) => {
      const started = startEditing(before.join(''))
      let line = startLine(started, history)
      for (const input of inputs) {
        const step = applyInput(line, input)
        // Texts of the history have their own undo steps.
        if (step.line.position.index === history.length && !step.line.search) line = step.line
      }
      let { editor } = line
      while (editor.lastChange) {
        editor = editActions.undo(editor)
        expectBoundary(editor)
      }
      expect(editor.text).toBe(started.text)
    }),
    samples(50),
  )
})
