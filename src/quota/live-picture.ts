/** The readings of a watch, drawn over each other on a terminal. */

import type { WriteStream } from 'node:tty'
import type { JsonObject } from '../io/json.ts'
import { harmless } from '../io/harmless.ts'
import type { Io } from '../io/io.ts'
import { relativeTime } from '../io/time.ts'
import { Screen } from '../terminal/screen.ts'
import type { Style } from '../terminal/style.ts'
import type { Form } from './form.ts'
import type { Picture } from './watch.ts'

export interface LiveOptions {
  readonly form: Form
  readonly style: Style
  /** Between two readings, in seconds. */
  readonly interval: number
  readonly io: Io
  /** Standard output's own, which is a terminal. */
  readonly stream: WriteStream
}

export class LivePicture implements Picture {
  readonly #options: LiveOptions
  #screen: Screen | undefined
  #record: JsonObject | undefined
  #failure: string | undefined
  #next = 0

  constructor(options: LiveOptions) {
    this.#options = options
  }

  async show(record: JsonObject, next: number): Promise<void> {
    this.#record = record
    this.#failure = undefined
    await this.#draw(next)
  }

  async fail(message: string, next: number): Promise<void> {
    this.#failure = message
    await this.#draw(next)
  }

  /** Leaves the last reading on the terminal. */
  async close(): Promise<void> {
    const { io } = this.#options
    await this.#screen?.close()
    if (this.#record) await io.out.write(this.#options.form(this.#record, io.out.columns()))
  }

  async #draw(next: number): Promise<void> {
    const { io, stream } = this.#options
    this.#next = next
    this.#screen ??= await Screen.open(io.out, stream)
    await this.#screen.show((columns) => this.#lines(columns))
  }

  #lines(columns: number): string[] {
    const { form, style, interval, io } = this.#options
    const now = io.now()
    const next = relativeTime(Math.max(this.#next, now), now)
    return [
      style.dim(`every ${interval} s · again ${next} · Ctrl-C ends it`),
      ...(this.#failure === undefined ? [] : failureLines(this.#failure).map(style.bold)),
      '',
      ...(this.#record ? form(this.#record, columns).trimEnd().split('\n') : []),
    ]
  }
}

function failureLines(message: string): string[] {
  return `the last reading failed: ${harmless(message)}`.split('\n')
}
