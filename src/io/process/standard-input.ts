import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { reasonOf, UsageError } from '../../errors.ts'
import { onAbort } from '../time/abort-signal.ts'
import { startTimer } from '../time/time.ts'

/** What standard input is connected to; `none` if it is closed, or a device such as /dev/null, read only when asked for. */
export type InputKind = 'terminal' | 'pipe' | 'file' | 'socket' | 'none'

/** In milliseconds: how long nothing has arrived when a warning says that standard input is read. Each comes once. */
const warningTimes = [2_000, 10_000, 60_000]

/** In milliseconds: how long a socket that is optional has for its first byte or its end. */
const socketTimeout = 1_000

/** Standard input can be read only once: each reader gives its name, for the error of the next one. */
export class StandardInput {
  readonly kind: InputKind
  /** Gets a warning when standard input is read and no data has arrived for 2, 10 and 60 seconds, or it is given up. */
  onSilence: ((warning: string) => void) | undefined
  /** Whether it is read only because it is open, while the run has other input. */
  isOptional = false
  /** The flag or argument that reads it. */
  reader: string | undefined
  /** When the last key came at a question, by `Io.elapsed`. */
  keyAt = -Infinity
  readonly #open: () => Readable

  /** @param open Called only to read: evaluating `process.stdin` opens it. */
  constructor(kind: InputKind, open: () => Readable) {
    this.kind = kind
    this.#open = open
  }

  /** The terminal itself, for interactive questions; only where `kind` is `terminal`. */
  openTerminal(): ReadStream {
    return this.#open() as ReadStream
  }

  /**
   * What arrives, to the end of standard input; nothing of an optional socket that stays silent. Called by io/files/files.ts
   * only, which counts the bytes.
   * @param reader The flag or argument that reads it, for the error of the next reader.
   * @param onOpen Called before it is read.
   * @throws UsageError when it was read before, or cannot be read; the signal's reason.
   */
  async *chunks(reader: string, signal: AbortSignal, onOpen?: () => void): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.reader !== undefined) {
      throw new UsageError(`${this.reader} and ${reader} cannot both read standard input`)
    }
    signal.throwIfAborted()
    this.reader = reader
    const times = new Set(warningTimes)
    let timers: NodeJS.Timeout[] = []
    const watch = (): void => {
      timers = [...times].map((time) =>
        startTimer(time, () => {
          times.delete(time)
          this.onSilence?.(this.#silenceText())
        }),
      )
    }
    const stream = this.#open()
    onOpen?.()
    using _listener = onAbort(signal, () => stream.destroy(signal.reason as Error))
    try {
      if (this.kind === 'socket' && this.isOptional && !(await hasBegun(stream))) {
        this.onSilence?.('no data on standard input for 1 s, so it is ignored; use - to wait for it, or --no-stdin')
        stream.destroy()
        return
      }
      watch()
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        // Data is awaited, not a reader that works on what has arrived.
        timers.forEach(clearTimeout)
        yield chunk
        // Who types knows that standard input is read.
        if (this.kind !== 'terminal') watch()
      }
    } catch (error) {
      signal.throwIfAborted()
      // For example when the descriptor is open for writing only.
      throw new UsageError(`cannot read standard input: ${reasonOf(error)}`)
    } finally {
      timers.forEach(clearTimeout)
    }
  }

  #silenceText(): string {
    if (this.kind === 'terminal') return 'reading standard input; end it with Ctrl-D'
    const hint = '; if it is not meant as input, use --no-stdin or < /dev/null'
    return `waiting for standard input${this.isOptional ? hint : ''}`
  }
}

/** Whether a socket is written to or ended in time: the parent process may hold it open and never write. Nothing is taken from it. */
async function hasBegun(stream: Readable): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<false>((resolve) => {
    // What has arrived by then is seen in the turn of the event loop that follows, however late the timer is.
    timer = startTimer(socketTimeout, () => setImmediate(resolve, false))
  })
  try {
    return await Promise.race([once(stream, 'readable').then(() => true), silence])
  } finally {
    clearTimeout(timer)
  }
}
