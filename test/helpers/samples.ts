/** How much is tried: `npm test` takes a sample of what `npm run test:long` tries, which sets SYN_TEST_EFFORT. */

const effort = Number(process.env.SYN_TEST_EFFORT ?? 1)

/** Parameters of `fc.assert`, with this many runs in `npm test`. */
export function samples(runs: number): { numRuns: number } {
  return { numRuns: runs * effort }
}

/** Of a terminal: in `npm test` the one that has less room. */
export const widths = effort > 1 ? [80, 40] : [40]

/** All pairs, or in `npm test` each of either once. */
export function pairs<One, Other>(ones: readonly One[], others: readonly Other[]): [one: One, other: Other][] {
  const all = ones.map((one) => others.map((other): [One, Other] => [one, other]))
  return effort > 1 ? all.flat() : all.flatMap((row, at) => row.slice(at % others.length, (at % others.length) + 1))
}

/** All of them, or in `npm test` one part of several, which come to all together. */
export function share<One>(all: readonly One[], part: number, parts: number): readonly One[] {
  return effort > 1 ? all : all.filter((_, at) => at % parts === part)
}
