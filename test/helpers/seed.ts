/** The seed of random cases, and random numbers without fast-check. */

/**
 * The seed of a run, a 32-bit integer. It is always this one, so that a commit passes or fails each time; `npm run fuzz`
 * looks for new cases.
 */
export const seed = Number(process.env.SYN_TEST_SEED ?? 20_261_127)

/** Numbers from 0 to 1, the same in each run. */
export function seededRandom(from = seed): () => number {
  let state = from
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
