/**
 * A program for testing the first signal: then it waits for a line on standard input before it ends.
 * `plain` takes no first signal; `hanging` does not end when it is stopped.
 */

import { explain, InterruptedError } from '../../src/errors.ts'
import { onAbort } from '../../src/io/time/abort-signal.ts'
import { writeText } from '../../src/io/io.ts'
import { main } from '../../src/main.ts'

await main(async ([mode], io) => {
  const say = (text: string): void => void writeText(io.out, `${text}\n`).catch(() => undefined)
  const reason = await new Promise<unknown>((resolve) => {
    // Opens standard input, which never ends: the process must end nevertheless.
    const input = io.in.chunks('the test', new AbortController().signal)
    const line = input.next()
    io.onFirstSignal((error) => {
      say('ending')
      void line.then(() => resolve(error))
    })
    if (mode === 'plain') io.onFirstSignal(undefined)
    onAbort(io.signal, () => {
      say('stopped')
      if (mode !== 'hanging') resolve(io.signal.reason)
    })
    say('ready')
  })
  return reason instanceof InterruptedError ? explain(reason).code : 1
})
