/** `--watch`: shows the quota repeatedly until the run is stopped. */

import { isTransient } from '../api/retry-policy.ts'
import type { Io, TerminalSink, TerminalWindow } from '../io/io.ts'
import { noText, safe, type SafeText, sanitizeForTerminal, sanitizeName } from '../io/text/safe-text.ts'
import type { JsonObject } from '../io/json/json.ts'
import { pauseFor, relativeTime } from '../io/time/time.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Style } from '../terminal/style.ts'
import type { QuotaFormat } from './view.ts'

/** Shows each record. */
export interface QuotaDisplay {
  show(record: JsonObject): Promise<void>
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
  /**
   * Called after a record was shown; throws to stop.
   * @returns a warning.
   */
  check(record: JsonObject): string | undefined
}

/** @throws the signal's reason, a permanent failure, or what `check` throws. */
export async function watchQuota({ interval, read, display, check }: WatchOptions, io: Io): Promise<never> {
  await using _display = { [Symbol.asyncDispose]: () => display.close() }
  for (;;) {
    try {
      const record = await read()
      await display.show(record)
      const warning = check(record)
      if (warning !== undefined) await display.warn(warning)
    } catch (error) {
      if (!isTransient(error)) throw error
      await display.fail(error.message)
    }
    await pauseFor(interval * 1000, io)
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
  /** When the next request is sent. */
  let next = 0
  const lines = (columns: number): SafeText[] => {
    const now = elapsed()
    return [
      style.dim(
        safe`every ${interval} s · next ${sanitizeName(relativeTime(Math.max(next, now), now))} · Ctrl-C to stop`,
      ),
      ...(problem?.split('\n').map(style.bold) ?? []),
      noText,
      ...(record ? format(record, columns).trimEnd().split('\n') : []),
    ]
  }
  const draw = async (found: SafeText | undefined): Promise<void> => {
    problem = found
    next = elapsed() + interval * 1000
    // Loaded here: only --watch needs it.
    screen ??= await (await import('../terminal/screen.ts')).openScreen(out, window, lines)
    await screen.redraw()
  }
  return {
    show(shown) {
      record = shown
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
