/** The clipboard of the user's desktop, of tmux, or of the terminal. */

import { spawn } from 'node:child_process'
import { FailedError } from '../../errors.ts'
import { safe, sanitizeName } from '../text/safe-text.ts'
import { startTimer } from '../time/timer.ts'
import type { Io } from '../io.ts'

/** In milliseconds, of all programs together: xclip waits forever for a display that does not answer. */
const longest = 2000

/**
 * Copies a text with the first program that takes it, or else by OSC 52, which most terminals allow, also over SSH.
 * @returns how, such as `with wl-copy`.
 * @throws FailedError if there is no way; the signal's reason.
 */
export async function copyToClipboard(text: string, io: Io, signal: AbortSignal): Promise<string> {
  const tooLong = new AbortController()
  startTimer(longest, () => tooLong.abort()).unref()
  const failures: string[] = []
  for (const command of clipboardCommands(io)) {
    const [program = ''] = command
    const failure = await feed(command, text, io.env, AbortSignal.any([signal, tooLong.signal]))
    signal.throwIfAborted()
    if (failure === undefined) return program === 'tmux' ? "to tmux's buffer" : `with ${program}`
    failures.push(`${program} ${failure}`)
    if (tooLong.signal.aborted) break
  }
  const tried = failures.join(', ')
  if (io.env.TERM === 'dumb') {
    const hint = 'use /save FILE to write to a file'
    throw new FailedError(`/copy: this terminal has no clipboard${tried && `; ${tried}`}`, { hint })
  }
  await io.out.write(safe`\u001b]52;c;${sanitizeName(Buffer.from(text).toString('base64'))}\u0007`)
  return `by OSC 52, if the terminal allows clipboard access${tried && ` (${tried})`}`
}

/** Those whose display is there. tmux keeps OSC 52 to itself, and with -w passes the text on to the terminal's clipboard. */
function clipboardCommands({ env, platform }: Pick<Io, 'env' | 'platform'>): string[][] {
  // Over SSH, a display is seldom the one that the user sits at.
  const isHere = !env.SSH_CONNECTION && !env.SSH_TTY
  const commands: [isThere: unknown, command: string[]][] = [
    [env.TMUX, ['tmux', 'load-buffer', '-w', '-']],
    [isHere && platform === 'darwin', ['pbcopy']],
    [isHere && env.WAYLAND_DISPLAY, ['wl-copy']],
    [isHere && env.DISPLAY, ['xclip', '-selection', 'clipboard']],
    [isHere && env.DISPLAY, ['xsel', '--clipboard', '--input']],
  ]
  return commands.flatMap(([isThere, command]) => (isThere ? [command] : []))
}

/**
 * Runs a program with the text as its standard input. It gets no other stream, and only the end of the process itself is
 * awaited: wl-copy, xclip and xsel stay in the background, in a session of their own, as they outlive the terminal.
 * @returns why it failed.
 */
function feed([program = '', ...argv]: readonly string[], text: string, env: Io['env'], signal: AbortSignal) {
  return new Promise<string | undefined>((resolve) => {
    const child = spawn(program, argv, {
      env,
      signal,
      killSignal: 'SIGKILL',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.on('error', () => resolve(signal.aborted ? `did not end within ${longest / 1000} s` : 'cannot be run'))
    child.on('exit', (status) => resolve(status === 0 ? undefined : 'failed'))
    // It may end without reading all of it.
    child.stdin.on('error', () => undefined).end(text)
  })
}
