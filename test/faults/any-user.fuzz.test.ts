/** Any fault with any user: on a terminal or in a pipe, with a slow reader, and with Ctrl-C at any moment. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import { samples } from '../helpers/samples.ts'
import { axes } from './axes.ts'
import { time } from './axes/time.ts'
import { breachesOf, observe, turns } from './cell.ts'
import { operations } from './operations.ts'
import { outcomeFor } from './cases.ts'

const cells = axes.flatMap((axis) =>
  axis.cases.flatMap((one) =>
    operations.flatMap((operation) => {
      const expected = outcomeFor(one, operation)
      const name = `${operation.name}: ${one.name}`
      return expected ? [{ name, operation, one, expected, mayWait: axis === time || expected.isRetried === true }] : []
    }),
  ),
)

const SIGINT = 2
const interrupted = 130

/** A request takes about 20 turns of the event loop. */
const anyMoment = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(200))

test('any fault, any user', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...cells),
      fc.boolean(),
      fc.constantFrom(0, 0, 5),
      fc.option(anyMoment),
      async ({ name, operation, one, expected, mayWait }, hasTerminal, delay, moment) => {
        const stopping = new AbortController()
        const user = { signal: stopping.signal, hasTerminal, delay }
        const ended = observe(operation, one.fault, ['--retries', '1'], user)
        // What waits for seconds is stopped in any case.
        const stopAt = moment ?? (mayWait ? 100 : undefined)
        if (stopAt !== undefined) {
          await turns(stopAt)
          stopping.abort(new InterruptedError(SIGINT))
        }
        const { exit, out, err } = await ended
        // Notices are wrapped on a terminal, and a spinner is drawn there.
        const breaches = breachesOf({ exit, out, err: hasTerminal ? '' : err }).filter(Boolean)
        expect({ name, breaches, isInternal: /internal error/.test(err) }).toEqual({
          name,
          breaches: [],
          isInternal: false,
        })
        const exits = stopAt === undefined ? [expected.exit] : [expected.exit, interrupted]
        expect({ name, exits }).toEqual({ name, exits: expect.arrayContaining([exit]) as number[] })
      },
    ),
    samples(100),
  )
})
