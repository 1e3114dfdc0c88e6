/** `--watch`: shows the quota repeatedly until the run is stopped. */

import { isTransient } from '../api/retry-policy.ts'
import type { Io, TerminalSink, TerminalWindow } from '../io/io.ts'
import { noText, safe, type SafeText, sanitizeForTerminal, sanitizeName } from '../io/safe-text.ts'
import type { JsonObject } from '../io/json.ts'
import { pauseFor, relativeTime } from '../io/time.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Style } from '../terminal/style.ts'
import type { QuotaFormat } from './view.ts'

/** Shows each record. */
export interface QuotaDisplay {
  /** @param next When the next request is sent, as `elapsed` of `Io`. */
  show(record: JsonObject, next: number): Promise<void>
  /** Shows that a request failed. The last record stays visible. */
  fail(message: string, next: number): Promise<void>
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
  try {
    for (;;) {
      const outcome = await read().catch(transientMessage)
      const next = io.elapsed() + interval * 1000
      if (typeof outcome === 'string') await display.fail(outcome, next)
      else {
        await display.show(outcome, next)
        const warning = check(outcome)
        if (warning !== undefined) await display.warn(warning)
      }
      await pauseFor(interval * 1000, io)
    }
  } finally {
    await display.close()
  }
}

/** @throws permanent failures. */
function transientMessage(error: unknown): string {
  if (isTransient(error)) return error.message
  throw error
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
export class LiveDisplay implements QuotaDisplay {
  readonly #options: LiveOptions
  #screen: Screen | undefined
  #record: JsonObject | undefined
  #problem: SafeText | undefined
  #next = 0

  constructor(options: LiveOptions) {
    this.#options = options
  }

  async show(record: JsonObject, next: number): Promise<void> {
    this.#record = record
    this.#problem = undefined
    await this.#draw(next)
  }

  async fail(message: string, next: number): Promise<void> {
    this.#problem = safe`last update failed: ${sanitizeForTerminal(message)}`
    await this.#draw(next)
  }

  async warn(message: string): Promise<void> {
    this.#problem = sanitizeForTerminal(message)
    await this.#draw(this.#next)
  }

  /** Leaves the last record on the terminal. */
  async close(): Promise<void> {
    const { out, format } = this.#options
    await this.#screen?.close()
    if (this.#record) await out.write(format(this.#record, out.columns()))
  }

  async #draw(next: number): Promise<void> {
    const { out, window } = this.#options
    this.#next = next
    this.#screen ??= await openScreen(out, window)
    await this.#screen.show((columns) => this.#lines(columns))
  }

  #lines(columns: number): SafeText[] {
    const { format, style, interval, elapsed } = this.#options
    const now = elapsed()
    const next = sanitizeName(relativeTime(Math.max(this.#next, now), now))
    return [
      style.dim(safe`every ${interval} s · next ${next} · Ctrl-C to stop`),
      ...(this.#problem?.split('\n').map(style.bold) ?? []),
      noText,
      ...(this.#record ? format(this.#record, columns).trimEnd().split('\n') : []),
    ]
  }
}

/** Loaded here: only --watch needs it. */
async function openScreen(out: TerminalSink, window: TerminalWindow): Promise<Screen> {
  const { Screen: Opened } = await import('../terminal/screen.ts')
  return Opened.open(out, window)
}
