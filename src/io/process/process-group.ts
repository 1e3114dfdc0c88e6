/** Programs that run beside this one, each as the leader of a process group, with which all that they start is ended. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { FailedError } from '../../errors.ts'
import { isFile } from '../files/stats.ts'
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
  const isWindows = io.platform === 'win32'
  const [name = '', ...others] = words
  const file = (isWindows && programFile(name, env.PATH ?? io.env.PATH ?? '', cwd ?? '')) || name
  const isBatch = isWindows && /\.(cmd|bat)$/i.test(file)
  const [program = '', ...argv] = isBatch ? throughCmd([file, ...others], io) : [file, ...others]
  // Detached, it is in a session, and so in a group, of its own. On Windows, what it starts would open windows then.
  const options = { env, cwd, detached: !isWindows, windowsHide: true, windowsVerbatimArguments: isBatch }
  const [child, kill] = io.killAtExit(() => spawn(program, argv, { ...options, stdio: 'pipe' }))
  // A program may end without reading its whole input.
  child.stdin.on('error', () => undefined)
  child.on('exit', () => {
    kill()
    startTimer(longestRest, () => [child.stdout, child.stderr].forEach((output) => output.destroy())).unref()
  })
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, ended: childFailure(child), kill }
}

/** What cmd.exe finds for a name, such as npx.cmd for npx, except in the working directory. Node starts .com and .exe only. */
function programFile(program: string, path: string, cwd: string): string | undefined {
  const folders = /[\\/:]/.test(program) ? [''] : path.split(';').filter(Boolean)
  const endings = /\.(com|exe|cmd|bat)$/i.test(program) ? [''] : ['.com', '.exe', '.cmd', '.bat']
  return folders.flatMap((folder) => endings.map((ending) => resolve(cwd, folder, program + ending))).find(isFile)
}

/** Between double quotes, cmd.exe and the batch file, which reads the words again, replace variables only. @throws FailedError */
function throughCmd(words: readonly string[], { env }: Pick<Io, 'env'>): string[] {
  const refused = words.find((word) => /[%\r\n]/.test(word))
  if (refused !== undefined) throw new FailedError(`${words[0]} is a batch file, which takes no % and no line break`)
  const quoted = words.map((word) => `"${word.replaceAll(/(\\*)("|$)/g, '$1$1$2$2')}"`)
  return [env.COMSPEC || 'cmd.exe', '/d', '/v:off', '/s', '/c', `"${quoted.join(' ')}"`]
}
