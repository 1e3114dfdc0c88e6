/** A sign of life until the first token: the only importer of ora, loaded only on a terminal. */

export interface Spinner {
  /** Makes room for a line; the sign appears again below it. */
  clear(): void
  /** Says something else from now on. */
  say(text: string): void
  /** Takes the sign away for good. */
  stop(): void
}

export interface SpinnerOptions {
  /** Standard error as a stream; it must be a terminal that knows how to erase a line. */
  readonly stream: NodeJS.WritableStream
  readonly text: string
  readonly hasColor: boolean
}

/** Starts after a moment, so that a quick answer never makes it flash. */
export function startSpinner({ stream, text, hasColor }: SpinnerOptions): Spinner {
  let isStopped = false
  let drawn: { text: string; clear(): void; stop(): void } | undefined
  let said = text
  const timer = setTimeout(() => {
    void import('ora').then(({ default: ora }) => {
      if (isStopped) return
      const color = hasColor ? 'cyan' : false
      // ora would hold standard input to swallow keys typed meanwhile; they are the shell's. Nor does it guess well
      // whether it is wanted: told that it is not, it prints its text all the same.
      drawn = ora({ text: said, stream, color, isEnabled: true, discardStdin: false, hideCursor: false }).start()
    })
  }, 150)
  return {
    clear: () => drawn?.clear(),
    say: (next) => {
      said = next
      if (drawn) drawn.text = next
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      drawn?.stop()
      // Stopped once more it would erase the line that the answer stands on by now.
      drawn = undefined
    },
  }
}
