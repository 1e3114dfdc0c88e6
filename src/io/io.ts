/** A run's access to the outside world. Only main.ts makes one from the process; tests make their own. */

import type { WriteStream } from 'node:tty'
import type { InterruptedError } from '../errors.ts'
import type { InputBudget } from './process/input-budget.ts'
import { sanitizeForTerminal, type SafeText } from './text/safe-text.ts'
import type { StandardInput } from './process/standard-input.ts'
import type { ServiceClock } from './time/service-clock.ts'

interface AnySink {
  /** The current width; 80 off a terminal. */
  columns(): number
}

export type Background = 'light' | 'dark'

/** Takes only text that is safe for a terminal. */
export interface TerminalSink extends AnySink {
  readonly isTerminal: true
  /** The size of the terminal, and when it changes. */
  readonly window?: TerminalWindow | undefined
  /** The stream itself, for libraries that draw on a terminal. They get SafeText only. */
  readonly stream?: WriteStream | undefined
  /**
   * Resolves when there is room for more: a slow reader slows the whole pipeline down.
   * @throws BrokenPipeError when the reader has closed it.
   */
  readonly write: (text: SafeText) => Promise<void>
  /** Keeps rows below the text; `write` then passes all text to the footer. */
  footer?: TerminalFooter | undefined
  /** Whether the terminal is light or dark, once it has answered. */
  background?: Background | undefined
  /** Whether the terminal has the focus, as far as it says; set while a line editor has the terminal. */
  hasFocus?: boolean | undefined
  /** Writes to the terminal itself. For the footer. */
  readonly writeDirectly: (text: SafeText) => Promise<void>
}

/** Rows below the text of a terminal, such as the input line of the chat. */
export interface TerminalFooter {
  /** Writes text above these rows. */
  write(text: SafeText): Promise<void>
  /** Shows an activity in these rows, in place of a spinner. */
  showActivity(text: SafeText): Activity
}

/** Shown after a short delay while syn waits: `waiting for the answer`. */
export interface Activity {
  setText(text: SafeText): void
  stop(): void
  /** Shows it again after `stop`. */
  resume(text: SafeText): void
}

/** A terminal that a footer can be put on. */
export function terminalSink(
  writeDirectly: TerminalSink['writeDirectly'],
  { columns, window, stream }: Pick<TerminalSink, 'columns' | 'window' | 'stream'>,
): TerminalSink {
  const sink: TerminalSink = {
    columns,
    window,
    stream,
    isTerminal: true,
    writeDirectly,
    write: (text) => (sink.footer ? sink.footer.write(text) : writeDirectly(text)),
  }
  return sink
}

/** A pipe or a file. Text is written to it unchanged. */
export interface PlainSink extends AnySink {
  readonly isTerminal: false
  readonly window?: undefined
  readonly stream?: undefined
  /** Resolves and throws as for a terminal. */
  readonly write: (text: string | Uint8Array) => Promise<void>
}

/** `write` takes SafeText, or anything after a check of `isTerminal`. */
export type Sink = TerminalSink | PlainSink

export interface TerminalWindow extends Pick<WriteStream, 'columns' | 'rows' | 'on' | 'off'> {
  /** Asks the terminal for its size, and emits `resize` if it has changed. */
  refresh?(): void
}

/** In characters: of a longer text, each piece is sanitized and written before the next, so that Ctrl-C is seen in between. */
const longestPiece = 64 * 1024

/** Writes untrusted text: sanitized on a terminal, unchanged elsewhere. */
export async function writeText(
  sink: Sink,
  text: string,
  sanitize: (text: string) => SafeText = sanitizeForTerminal,
): Promise<void> {
  if (!sink.isTerminal) return sink.write(text)
  for (let start = 0, end = 0; end < text.length; start = end) {
    end = Math.min(start + longestPiece, text.length)
    // Neither a line break nor a character is cut in two.
    if (end < text.length && /[\r\ud800-\udbff]/.test(text.charAt(end - 1))) end--
    await sink.write(sanitize(text.slice(start, end)))
  }
}

/** The sink, with a function that is called before each write. */
export function withHook(sink: Sink, beforeWrite: () => void): Sink {
  const columns = (): number => sink.columns()
  const hooked =
    <Text>(write: (text: Text) => Promise<void>) =>
    (text: Text): Promise<void> => {
      beforeWrite()
      return write(text)
    }
  if (sink.isTerminal)
    return terminalSink(
      hooked((text) => sink.write(text)),
      { columns },
    )
  return { isTerminal: false, columns, write: hooked((text) => sink.write(text)) }
}

/**
 * The standard streams if both go to one file, as after `2>&1`. Within a line of output, a message on standard error begins
 * a line of its own: `Helsyn: …` would be neither. The bytes of the output stay the same.
 *
 * Terminals are left alone: control sequences move the cursor, so the last byte does not tell where it is.
 */
export function inOneFile(out: Sink, err: Sink): { out: Sink; err: Sink } {
  if (out.isTerminal || err.isTerminal) return { out, err }
  let isWithinLine = false
  const writeOut = (text: string | Uint8Array): Promise<void> => {
    if (text.length > 0) isWithinLine = text.at(-1) !== (typeof text === 'string' ? '\n' : 0x0a)
    return out.write(text)
  }
  const writeErr = async (text: string | Uint8Array): Promise<void> => {
    if (text.length === 0) return
    const needsNewline = isWithinLine
    isWithinLine = false
    if (needsNewline) await err.write('\n')
    await err.write(text)
  }
  return { out: { ...out, write: writeOut }, err: { ...err, write: writeErr } }
}

/** The names of variables for syn itself, such as SYN_API_KEY. On Windows, variables are found in any case. */
export const ownVariable = /^SYN_/i

/** The variables for a program that needs none of syn. */
export function withoutOwnVariables({ env }: Pick<Io, 'env'>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ownVariable.test(name)))
}

/** The commands that the user has set for files that are no text. */
export interface Readers {
  has(path: string): boolean
  /** @returns `undefined` if none is set, or it is no file. @throws UsageError that starts with `where`, if it prints no text. */
  read(path: string, where: string, signal: AbortSignal): Promise<string | undefined>
  /** Says something about what is read. */
  notify(text: string): Promise<void>
}

export interface Io {
  readonly in: StandardInput
  /** Whether a screen reader reads what is written (default: no). */
  readonly isAccessible?: () => boolean
  /** Whether nothing is drawn again: for a screen reader, and on a terminal without escape sequences (default: no). */
  readonly isPlain?: () => boolean
  /** For the files and web pages that the user names for a request; not for the documents of options (default: none). */
  readonly readers?: Readers
  /** Counts the input of one request. */
  readonly inputBudget: InputBudget
  readonly out: Sink
  readonly err: Sink
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The effective user ID; `undefined` on Windows. */
  readonly user: number | undefined
  /** Stops the run; its reason is an InterruptedError, a BrokenPipeError, or an error that nothing caught. */
  readonly signal: AbortSignal
  /**
   * Sets what the first SIGINT or SIGTERM calls, once, instead of aborting `signal`; only the next one aborts it.
   * @param handler Gets the error to throw when what was begun has ended. `undefined`: the first one aborts.
   */
  onFirstSignal(handler: ((reason: InterruptedError) => void) | undefined): void
  /**
   * Leaves Ctrl-C and Ctrl-\ to another program on the terminal, such as an editor: the terminal signals both.
   * @returns takes them back.
   */
  leaveInterrupts(): () => void
  /**
   * Sets what gets an error that nothing could catch, such as one thrown in a callback of a socket. The latest handler that
   * returns true has dealt with it; if none does, the run is stopped.
   * @returns removes the handler.
   */
  onUncaught(handler: (error: unknown) => boolean): () => void
  /** Milliseconds since 1970: for times that the service names, and for dates. It may be set back. */
  now(): number
  /** For the times that the service names. */
  readonly serviceClock: ServiceClock
  /** Milliseconds of a clock that nobody sets: for durations. */
  elapsed(): number
  /**
   * The terminal on standard error, to ask on where standard input is a pipe; `undefined` if there is none, or this process is not in
   * its foreground: to read it would stop the process (default: none).
   */
  terminalBeside?(): StandardInput | undefined
  /** Stops the process group, as Ctrl-Z does; resolves when it is continued. */
  suspend(): Promise<void>
  /** Sets the control sequence that is written to the terminal when the process exits; '' for none. */
  restoreAtExit(sequence: SafeText): void
  /**
   * Starts a process that leads a group, and kills the group when this process exits, however it does.
   * @returns what was started, and what kills the group now.
   */
  killAtExit<Child extends { readonly pid?: number | undefined }>(start: () => Child): [child: Child, kill: () => void]
}
