/** The program on a terminal that is drawn in memory. */

import { run } from '../../src/cli/run.ts'
import { terminalSink } from '../../src/io/io.ts'
import { newTerminal, pictureOf, type Picture, type Size } from './picture.ts'
import { testIo, unreadInput } from './run-syn.ts'

export interface DrawOptions extends Size {
  env?: Record<string, string>
  term?: string
}

/**
 * Runs the program in this process: ten times as fast as a process on a pseudo-terminal, and without a spinner.
 * `draw.e2e.test.ts` compares the two.
 */
export async function draw(
  argv: string[],
  { env, term = 'xterm-256color', ...size }: DrawOptions = {},
): Promise<Picture & { code: number }> {
  const terminal = newTerminal(size)
  let written = ''
  const write = (text: string): Promise<void> => {
    // A terminal's driver turns LF into CR LF.
    const bytes = text.replaceAll('\n', '\r\n')
    written += bytes
    return new Promise((resolve) => terminal.write(bytes, resolve))
  }
  const sink = terminalSink(write, { columns: () => terminal.cols })
  const code = await run(
    argv,
    testIo({ in: unreadInput('terminal'), out: sink, err: sink, env: { TERM: term, ...env } }),
  )
  return { code, ...pictureOf(terminal, () => written) }
}
