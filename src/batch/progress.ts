/** Shows how far a run is: on one line of a terminal, elsewhere on a line now and then, or as JSON Lines. */

import { writeText } from '../io/io.ts'
import { sanitizeJson } from '../io/text/safe-text.ts'
import { startTimer } from '../io/time/time.ts'
import { type LiveLineDeps, roughDuration, startLiveLine } from '../terminal/progress.ts'
import type { Notices } from '../notices.ts'
import type { Forecast } from './forecast.ts'
import type { Score } from './output/scores.ts'
import { countText, grouped } from '../io/text/plural.ts'

export interface RunState {
  /** Rows with a result, those of earlier runs included. */
  readonly done: number
  /** `undefined` for input that is still being read. */
  readonly total: number | undefined
  readonly failed: number
  readonly inFlight: number
  /** What the run waits for before it sends more, such as `quota used up, renews in 43 s`. */
  readonly waiting: string | undefined
  /** What is left of the quota, such as `3.2 of 500 requests left`. */
  readonly quotaLeft?: string | undefined
  readonly cost?: Forecast['cost'] | undefined
  /** Once the results are written: how many answers are those that were expected. */
  readonly scores?: readonly Score[] | undefined
}

/** In milliseconds. */
const tick = 1000
const lineInterval = 30_000
const jsonInterval = 5000

/** In columns: a terminal shows Ctrl-C as ^C, and no line must wrap. */
const echoWidth = 2

/** In ticks: the last minute, as services become slower and faster. */
const rateWindow = 60

/** `undefined` for lines of text; `none` where the output shows how far the run is. */
export type ProgressFormat = 'jsonl' | 'none' | undefined

/** @returns a function that ends it, and with `jsonl` prints the last state. */
export function showRunProgress(
  state: () => RunState,
  format: ProgressFormat,
  { io, notices }: LiveLineDeps & { notices: Notices },
): () => Promise<void> {
  if (format === 'none') return () => Promise.resolve()
  const rate = new Rate()
  const line = format
    ? undefined
    : startLiveLine((columns) => stateText(state(), rate).slice(0, columns - echoWidth - 1), { io, notices })
  const print = (): Promise<void> =>
    format ? writeText(io.err, stateJson(state(), rate), sanitizeJson) : notices.info(stateText(state(), rate))
  const interval = format ? jsonInterval : lineInterval
  let printed = io.elapsed()
  let timer: NodeJS.Timeout | undefined
  const onTick = (): void => {
    const now = io.elapsed()
    rate.add(now, state().done)
    line?.draw()
    if (!line && now - printed >= interval) {
      printed = now
      void print()
    }
    timer = startTimer(tick, onTick)
  }
  onTick()
  return async () => {
    clearTimeout(timer)
    line?.stop()
    if (format) await print()
  }
}

/** How many rows are finished in a second. */
export class Rate {
  readonly #samples: { time: number; done: number }[] = []

  add(time: number, done: number): void {
    this.#samples.push({ time, done })
    if (this.#samples.length > rateWindow) this.#samples.shift()
  }

  /** `undefined` before the first row. */
  get perSecond(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last || last.done === first.done) return undefined
    return ((last.done - first.done) / (last.time - first.time)) * 1000
  }

  /** In milliseconds, until all rows are done. */
  timeLeft({ done, total }: RunState): number | undefined {
    return total === undefined || this.perSecond === undefined ? undefined : ((total - done) / this.perSecond) * 1000
  }
}

/** `412/10,000 · 6 failed · 8 in flight · 3.1 rows/s · 51 min left · $0.12 of about $0.85 in this run · 3.2 of 500 requests left` */
export function stateText(state: RunState, rate: Rate): string {
  const { done, total, failed, inFlight, waiting, quotaLeft, cost } = state
  const { perSecond } = rate
  const left = rate.timeLeft(state)
  return [
    total === undefined ? countText(done, 'row') : `${grouped(done)}/${grouped(total)}`,
    failed > 0 && `${grouped(failed)} failed`,
    (waiting === undefined || inFlight > 0) && `${inFlight} in flight`,
    waiting ?? (perSecond !== undefined && rateText(perSecond)),
    waiting === undefined && left !== undefined && `${roughDuration(left)} left`,
    waiting === undefined && cost?.text,
    waiting === undefined && quotaLeft,
  ]
    .filter((part) => part !== false && part !== undefined)
    .join(' · ')
}

function rateText(perSecond: number): string {
  return perSecond < 0.1 ? `${grouped(perSecond * 60)} rows/min` : `${grouped(perSecond)} rows/s`
}

export function stateJson(state: RunState, rate: Rate): string {
  const { done, total, failed, inFlight, waiting, cost, scores } = state
  const left = rate.timeLeft(state)
  const json = {
    done,
    total: total ?? null,
    failed,
    in_flight: inFlight,
    rows_per_second: rate.perSecond === undefined ? null : Number(rate.perSecond.toFixed(2)),
    seconds_left: left === undefined ? null : Math.ceil(left / 1000),
    waiting: waiting ?? null,
    cost: cost?.spent ?? null,
    expected_cost: cost?.total ?? null,
    ...(scores && { expect: scores }),
  }
  return `${JSON.stringify(json)}\n`
}
