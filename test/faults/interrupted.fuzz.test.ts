/** Ctrl-C at any moment of any fault ends the run at once, whatever the service does, or does not. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import { samples } from '../helpers/samples.ts'
import { axes } from './axes.ts'
import { breachesOf, observe } from './cell.ts'
import { operations } from './operations.ts'
import { outcomeFor } from './table.ts'

const cells = axes.flatMap(({ cases }) =>
  cases.flatMap((one) =>
    operations.flatMap((operation) => {
      const expected = outcomeFor(one, operation)
      return expected ? [{ name: `${operation.name}: ${one.name}`, operation, one, expected }] : []
    }),
  ),
)

const SIGINT = 2

test('Ctrl-C at any moment of any fault', async () => {
  // A request takes about 20 turns of the event loop; most of what waits, waits after it.
  const anyMoment = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(200))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...cells), anyMoment, async ({ name, operation, one, expected }, turns) => {
      const stopping = new AbortController()
      const ended = observe(operation, one.fault, ['--retries', '1'], stopping.signal)
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      stopping.abort(new InterruptedError(SIGINT))
      const seen = await ended
      expect({ name, problems: breachesOf(seen).filter(Boolean) }).toEqual({ name, problems: [] })
      expect({ name, exits: [130, expected.exit] }).toEqual({
        name,
        exits: expect.arrayContaining([seen.exit]) as number[],
      })
    }),
    samples(100),
  )
})
