import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { UsageError } from '../errors.ts'

/** What standard input is connected to. `none` also stands for an input that was closed before the start. */
export type InputKind = 'terminal' | 'pipe' | 'file' | 'socket' | 'none'

/** How long, in milliseconds, a pipe may stay silent before the user is told that stdin is being read. */
const silenceBeforeNotice = 2000

/** Standard input can be read only once: each reader names itself, for the error that a second one gets. */
export class StandardInput {
  readonly kind: InputKind
  /** Called once when nothing has arrived for two seconds. */
  onSilence: (() => void) | undefined
  /** The flag or argument that has claimed it. */
  reader: string | undefined
  readonly #open: () => Readable

  /** @param open Called only to read: merely evaluating `process.stdin` opens it. */
  constructor(kind: InputKind, open: () => Readable) {
    this.kind = kind
    this.#open = open
  }

  /** The terminal itself, for interactive questions; only where `kind` is `terminal`. */
  openTerminal(): ReadStream {
    return this.#open() as ReadStream
  }

  /**
   * Claims standard input and reads it to its end.
   * @param reader The flag or argument that reads it, for the error that the next one gets.
   * @throws UsageError when it is already claimed; the signal's reason.
   */
  async read(reader: string, signal?: AbortSignal): Promise<Uint8Array> {
    if (this.reader !== undefined) {
      throw new UsageError(`${this.reader} and ${reader} both read standard input; only one of them can`)
    }
    signal?.throwIfAborted()
    this.reader = reader
    if (this.kind === 'none') return new Uint8Array()
    const silence = setTimeout(() => this.onSilence?.(), silenceBeforeNotice)
    const stream = this.#open()
    const stop = (): void => void stream.destroy(signal?.reason as Error)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const chunks: Uint8Array[] = []
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        clearTimeout(silence)
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    } finally {
      clearTimeout(silence)
      signal?.removeEventListener('abort', stop)
    }
  }
}
