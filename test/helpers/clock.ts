/** A clock for runs in this process, which slows down with them on a busy machine. Processes have the real time. */

/** Later than every date in the fixtures. */
let time = Date.UTC(2026, 10, 22, 12)

const step = 5
setInterval(() => (time += step), step).unref()

/** Two runs may end within a step: what comes now is later than all before. */
export function passTime(): void {
  time += 1
}

/** Milliseconds since 1970, as `Io` takes it. */
export function testNow(): number {
  return time
}

/** A clock that leaps at each look: the wait before a retry is over at once. */
export function leapingNow(): () => number {
  let leaped = time
  return () => (leaped += 60_000)
}
