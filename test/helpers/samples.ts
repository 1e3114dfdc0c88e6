/** How often a property is tried: the long tests set SYN_TEST_EFFORT. */

const effort = Number(process.env.SYN_TEST_EFFORT ?? 1)

/** Parameters of `fc.assert`, with this many runs in `npm test`. */
export function samples(runs: number): { numRuns: number } {
  return { numRuns: runs * effort }
}
