/** Programs that run beside this one, each as the leader of a process group, with which all that they start is ended. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { startTimer } from '../time/time.ts'
import type { Io } from '../io.ts'
import { childFailure } from './child-exit.ts'

export interface ProcessGroup extends Pick<ChildProcessWithoutNullStreams, 'stdin' | 'stdout' | 'stderr'> {
  /** The `childFailure` of the first process; the rest of the group ends with it. */
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
  child.on('exit', () => {
    kill()
    startTimer(longestRest, () => [child.stdout, child.stderr].forEach((output) => output.destroy())).unref()
  })
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, ended: childFailure(child), kill }
}
