/** The program on a terminal that is drawn in memory. */

import { newTerminal, pictureOf, type Picture, type Size } from './picture.ts'
import { runSyn } from './run-syn.ts'

export interface DrawOptions extends Size {
  env?: Record<string, string>
  term?: string
}

/**
 * Runs the program in this process: ten times as fast as a process on a pseudo-terminal, and without a spinner.
 */
export async function draw(
  argv: string[],
  { env, term = 'xterm-256color', ...size }: DrawOptions = {},
): Promise<Picture & { code: number }> {
  const terminal = newTerminal(size)
  let written = ''
  const show = (text: string): Promise<void> => {
    // A terminal's driver turns LF into CR LF.
    const bytes = text.replaceAll('\n', '\r\n')
    written += bytes
    return new Promise((resolve) => terminal.write(bytes, resolve))
  }
  const options = { isTerminal: true, columns: terminal.cols, onWrite: show, onNotice: show }
  const { code } = await runSyn(argv, { ...options, env: { TERM: term, ...env } })
  return { code, ...pictureOf(terminal, () => written) }
}
