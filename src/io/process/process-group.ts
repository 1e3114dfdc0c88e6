/** Programs that run beside this one, each as the leader of a process group, with which all that they start is ended. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { startTimer } from '../time/timer.ts'
import type { Io } from '../io.ts'

export interface ProcessGroup extends Pick<ChildProcessWithoutNullStreams, 'stdin' | 'stdout' | 'stderr'> {
  /**
   * Resolves when the first process has exited and its output is read, with `exited with status 1`, `was killed by SIGKILL` or
   * `cannot be run: …`; `undefined` after status 0. The rest of the group is killed then.
   */
  readonly ended: Promise<string | undefined>
  /** Kills all of it. */
  kill(): void
}

/** In milliseconds: how long output is read of a process that left the group, and holds the pipe open. */
const longestRest = 200

/**
 * Has no terminal: it can neither write to it nor read keys.
 * @param cwd Its working directory (default: that of this process).
 */
export function startGroup(words: readonly string[], env: NodeJS.ProcessEnv, io: Io, cwd?: string): ProcessGroup {
  const [program = '', ...argv] = words
  // Detached, it is in a session, and so in a group, of its own.
  const options = { env, cwd, detached: true, windowsHide: true } as const
  const [child, kill] = io.killAtExit(() => spawn(program, argv, { ...options, stdio: 'pipe' }))
  // It may end without reading all of it.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(`cannot be run: ${error.message}`))
    child.on('exit', () => {
      kill()
      startTimer(longestRest, () => [child.stdout, child.stderr].forEach((output) => output.destroy())).unref()
    })
    child.on('close', (status, signal) => {
      if (status === 0) resolve(undefined)
      else resolve(signal === null ? `exited with status ${status}` : `was killed by ${signal}`)
    })
  })
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, ended, kill }
}
