/** A window that is dragged narrower in many small steps: the rows of the undisturbed chat, and nothing else, are left. */

import { expect, test } from 'vitest'
import { rowsOfDrag, type Drag } from '../helpers/drags.ts'
import { describeWith } from '../helpers/installed.ts'

const size = { columns: 80, rows: 24 }
const words = Array.from({ length: 60 }, (_, index) => `w${String(index).padStart(3, '0')} `)
// So fast that tmux has wrapped its rows several times before the program hears of it.
const steps = { widths: [78, 76, 74, 72, 70, 68, 66], wait: 80 }

const drags: [when: string, drag: Drag][] = [
  ['at rest', { ...size, ...steps, draft: 200, pieces: [] }],
  [
    'while lines arrive',
    { ...size, ...steps, draft: 75, pieces: words.map((word, at) => (at % 9 ? word : `\n${word}`)) },
  ],
  ['while a line arrives that the terminal wraps', { ...size, ...steps, draft: 300, pieces: words }],
  [
    'with a draft taller than the screen',
    { columns: 40, rows: 12, widths: [38, 36, 34], wait: 80, draft: 600, pieces: [] },
  ],
]

describeWith('tmux', () => {
  test.concurrent.each(drags)('dragged %s', async (_when, drag) => {
    const [dragged, still] = await rowsOfDrag(drag)
    expect(dragged).toEqual(still)
  })
})
