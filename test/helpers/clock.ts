/** The time in the tests' runs: on a busy machine it slows down with them. Processes have the real time. */

/** After every date that the fixtures hold. */
let time = Date.UTC(2026, 10, 22, 12)

const step = 5
setInterval(() => (time += step), step).unref()

/** Milliseconds since 1970, as `Io` takes it. */
export function testNow(): number {
  return time
}
