/** Programs that run beside this one, each as the leader of a process group, with which all that they start is ended. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { FailedError } from '../../errors.ts'
import { isFile } from '../files/stats.ts'
import { onAbort } from '../time/abort-signal.ts'
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

/** In bytes: the most that a program may print, and a server of tools or a web page may send. */
export const maxReceived = 16 * 1024 * 1024

/** Runs a group to its end, and kills it when `stop` aborts or it prints too much: `failure` says that, or how it ended. */
export async function outputOf(group: ProcessGroup, stop: AbortSignal, input = '') {
  using _listener = onAbort(stop, group.kill)
  let left = maxReceived
  const gather = (stream: Readable): Buffer[] => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) group.kill()
      else chunks.push(chunk)
    })
    return chunks
  }
  const [output, errors] = [gather(group.stdout), gather(group.stderr)]
  group.stdin.end(input)
  const ended = await group.ended
  const failure = left < 0 ? 'sent more than 16 MiB' : ended
  return { output: Buffer.concat(output), errors: Buffer.concat(errors), failure }
}

const passed = /^(PATH|HOME|LANG|LC_.*|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|XDG_.*)$/

/** Servers connect to other machines, and the package managers that start them do. */
const passedToServers =
  /^((HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|(CURL|REQUESTS)_CA_BUNDLE)$/

/** Hardly a program starts on Windows without these. */
const passedOnWindows = /^(PATH(EXT)?|SYSTEMROOT|COMSPEC|TE?MP|USER(NAME|PROFILE)|(LOCAL)?APPDATA|PROGRAM.*)$/i

/** The few variables of this run that tools and readers get. */
export function passedVariables({ env, platform }: Pick<Io, 'env' | 'platform'>, isServer = false) {
  const isPassed = ([name]: [string, unknown]): boolean =>
    passed.test(name) ||
    (isServer && passedToServers.test(name)) ||
    (platform === 'win32' && passedOnWindows.test(name))
  return Object.fromEntries(Object.entries(env).filter(isPassed)) as Record<string, string>
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
