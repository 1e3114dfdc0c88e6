/** How much is tried: `npm test` takes a sample of what `npm run test:long` and `npm run fuzz` try, which set SYN_TEST_EFFORT. */

import fc from 'fast-check'

const effort = Number(process.env.SYN_TEST_EFFORT ?? 0.5)

/** How long `npm run fuzz` tries each property, in milliseconds; elsewhere, the number of runs decides. */
const limit = 1000 * Number(process.env.SYN_FUZZ_SECONDS ?? Infinity)

/**
 * Parameters of a property.
 * @param runs The number of runs; `npm test` tries half of them, and `npm run fuzz` as many as there is time for.
 */
export function samples(runs = 100): { readonly numRuns: number; readonly plugins: Plugin[] } {
  return { numRuns: limit === Infinity ? Math.ceil(runs * effort) : 2 ** 31 - 1, plugins: [timed] }
}

type Plugin = NonNullable<fc.Parameters<unknown>['plugins']>[number]

/** Ends between two cases, also those that shrink a failed one: the plugin of fast-check would leave one running. */
const timed: Plugin = () => {
  const end = performance.now() + limit
  return { decorateRun: (run) => (value) => (performance.now() < end ? run(value) : new fc.PreconditionFailure(true)) }
}

/** Columns of a terminal: `npm test` takes the narrow one, which has less room for text. */
export const widths = effort > 1 ? [80, 40] : [40]

/** All of them, or in `npm test` one part of several, which come to all together. */
export function share<One>(all: readonly One[], part: number, parts: number): readonly One[] {
  return effort > 1 ? all : all.filter((_, at) => at % parts === part)
}
