/** See `footer-drags.long.test.ts`: with any draft, at rest and while any text arrives. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowsOfDrag, type Drag } from '../helpers/drags.ts'
import { describeWith } from '../helpers/installed.ts'
import { samples } from '../helpers/samples.ts'

const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('word ', 'words of ', 'an answer ') },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\n\n', 'x'.repeat(100)) },
)

const size = fc.constantFrom({ columns: 80, rows: 24 }, { columns: 40, rows: 12 }, { columns: 60, rows: 14 })

const drags: fc.Arbitrary<Drag> = fc
  .record({
    size,
    draft: fc.integer({ min: 0, max: 600 }),
    pieces: fc.oneof(fc.constant([]), fc.array(piece, { minLength: 60, maxLength: 120 })),
    steps: fc.integer({ min: 1, max: 20 }),
    // Slower steps take the footer to the top of the screen: a known limit of src/README.md.
    wait: fc.integer({ min: 20, max: 250 }),
  })
  .map(({ size, steps, ...others }) => {
    const widths = Array.from({ length: steps }, (_, step) => size.columns - 2 * (step + 1))
    return { ...size, ...others, widths: widths.filter((width) => width > size.columns / 2) }
  })

describeWith('tmux', () => {
  test('leaves the rows of the undisturbed chat', async () => {
    const property = fc.asyncProperty(drags, async (drag) => {
      const [dragged, still] = await rowsOfDrag(drag)
      expect(dragged).toEqual(still)
    })
    await fc.assert(property, { ...samples(4), endOnFailure: true })
  })
})
