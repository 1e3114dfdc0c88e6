/** A sign of life until the first token: the only importer of ora, loaded only on a terminal. */

export interface Spinner {
  stop(): void
}

/**
 * Starts after a moment, so that a quick answer never makes it flash.
 * @param stream Standard error as a stream.
 */
export function startSpinner(stream: NodeJS.WritableStream, text: string): Spinner {
  let isStopped = false
  let spinner: Spinner | undefined
  const timer = setTimeout(() => {
    void import('ora').then(({ default: ora }) => {
      // ora would hold standard input to swallow keys typed meanwhile; they are the shell's.
      if (!isStopped) spinner = ora({ text, stream, discardStdin: false, hideCursor: false }).start()
    })
  }, 150)
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      spinner?.stop()
    },
  }
}
