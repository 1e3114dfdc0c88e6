/** `--watch`: shows the quota repeatedly until the run is stopped. */

import { tightestBlock } from '../api/quota.ts'
import { isTransient } from '../api/retry-policy.ts'
import type { Io, TerminalSink, TerminalWindow } from '../io/io.ts'
import { noText, safe, type SafeText, sanitizeForTerminal, sanitizeName } from '../io/text/safe-text.ts'
import type { JsonObject } from '../io/json/json.ts'
import { clockTime, pauseFor, relativeTime } from '../io/time/time.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Style } from '../terminal/style.ts'
import type { QuotaFormat } from './view.ts'

/** Shows each record. `forecast`: when the quota is used up, such as `empty at 14:30`. */
export interface QuotaDisplay {
  show(record: JsonObject, forecast: string | undefined): Promise<void>
  /** Shows that a request failed. The last record stays visible. */
  fail(message: string): Promise<void>
  /** Shows that the guard cannot judge this record. */
  warn(message: string): Promise<void>
  close(): Promise<void>
}

export interface WatchOptions {
  /** Seconds between two requests. */
  readonly interval: number
  /** Requests the quota. */
  read(): Promise<JsonObject>
  readonly display: QuotaDisplay
  /** Called after a record was shown; throws to stop. @returns a warning. */
  check(record: JsonObject): string | undefined
}

/** @throws the signal's reason, a permanent failure, or what `check` throws. */
export async function watchQuota({ interval, read, display, check }: WatchOptions, io: Io): Promise<never> {
  await using _display = { [Symbol.asyncDispose]: () => display.close() }
  const pace = new Pace()
  for (;;) {
    try {
      const record = await read()
      await display.show(record, pace.add(record, io))
      const warning = check(record)
      if (warning !== undefined) await display.warn(warning)
    } catch (error) {
      if (!isTransient(error)) throw error
      await display.fail(error.message)
    }
    await pauseFor(interval * 1000, io)
  }
}

/** How fast the block is used up that runs out first. */
class Pace {
  /** The first reading since the last renewal. */
  #first: { readonly name: string; readonly left: number; readonly time: number } | undefined
  #last = 0

  /** @returns when it is empty at the pace so far: `empty at 14:30`; `undefined` until two readings differ. */
  add(record: JsonObject, { now, elapsed }: Pick<Io, 'now' | 'elapsed'>): string | undefined {
    const { name = '', remaining, percentLeft } = tightestBlock(record) ?? {}
    const left = remaining ?? percentLeft ?? 0
    if (this.#first?.name !== name || left > this.#last) this.#first = { name, left, time: elapsed() }
    this.#last = left
    const used = this.#first.left - left
    if (used <= 0 || left === 0) return undefined
    return `empty at ${clockTime(now() + (left * (elapsed() - this.#first.time)) / used, now())}`
  }
}

export interface LiveOptions {
  readonly format: QuotaFormat
  readonly style: Style
  /** Seconds between two requests. */
  readonly interval: number
  readonly elapsed: Io['elapsed']
  /** Standard output. */
  readonly out: TerminalSink
  readonly window: TerminalWindow
}

/** Redraws the quota in place on a terminal. */
export function liveDisplay({ format, style, interval, elapsed, out, window }: LiveOptions): QuotaDisplay {
  let screen: Screen | undefined
  let record: JsonObject | undefined
  let problem: SafeText | undefined
  let end = noText
  /** When the next request is sent. */
  let next = 0
  const lines = (columns: number, wrap: (text: SafeText, columns: number) => SafeText[]): SafeText[] => {
    const now = elapsed()
    const time = sanitizeName(relativeTime(Math.max(next, now), now))
    return [
      ...wrap(safe`every ${interval} s · next ${time} · Ctrl-C to stop${end}`, columns).map(style.dim),
      ...(problem === undefined ? [] : wrap(problem, columns).map(style.bold)),
      noText,
      ...(record ? format(record, columns).trimEnd().split('\n') : []),
    ]
  }
  const open = async (): Promise<Screen> => {
    // Loaded here: only --watch needs them.
    const [{ openScreen }, { wrapTo }] = await Promise.all([
      import('../terminal/screen.ts'),
      import('../terminal/word-wrap.ts'),
    ])
    return openScreen(out, window, (columns) => lines(columns, wrapTo))
  }
  const draw = async (found: SafeText | undefined): Promise<void> => {
    problem = found
    next = elapsed() + interval * 1000
    screen ??= await open()
    await screen.redraw()
  }
  return {
    show(shown, forecast) {
      record = shown
      end = forecast === undefined ? noText : safe` · ${sanitizeName(forecast)}`
      return draw(undefined)
    },
    fail: (message) => draw(safe`last update failed: ${sanitizeForTerminal(message)}`),
    warn: (message) => draw(sanitizeForTerminal(message)),
    /** Leaves the last record on the terminal. */
    async close() {
      await screen?.close()
      if (record) await out.write(format(record, out.columns()))
    },
  }
}
