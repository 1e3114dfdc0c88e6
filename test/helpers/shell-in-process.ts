/** `syn` for shells that runs in the process of the test, thirty times faster than as a process of its own. */

import { createReadStream } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import type { InputKind } from '../../src/io/process/standard-input.ts'
import { quoted, start, type Ended } from './program.ts'
import { runSyn } from './run-syn.ts'

/**
 * `syn` sends its words to the test, which answers with a script: it prints what the run printed, and ends with its status.
 * Standard input is read first, as bash cannot close one half of a connection.
 */
const syn = String.raw`syn() (
  kind=none copy=
  if [ -p /dev/stdin ]; then kind=pipe; elif [ -f /dev/stdin ]; then kind=file; fi
  if [ $kind != none ]; then copy=$(mktemp); cat > "$copy"; fi
  both=; if [ /dev/stdout -ef /dev/stderr ]; then both=yes; fi
  exec 9<> "/dev/tcp/127.0.0.1/$SYN_PORT"
  printf '%s\0' "$#" "$kind" "$copy" "$both" "$@" >&9
  eval "$(cat <&9)"
)`

/** Lets shells run `syn` in this process, in its working directory. */
export interface SynServer extends Disposable {
  readonly port: number
  /** An executable file for PATH. */
  readonly script: string
}

/** @param env Of the runs. */
export async function startSynServer(env: Record<string, string>): Promise<SynServer> {
  const server = createServer((socket) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (more: string) => {
      text += more
      const [count, kind = '', copy = '', both = '', ...rest] = text.split('\0')
      const argv = rest.slice(0, -1)
      if (argv.length < Number(count)) return
      void scriptOf(argv, { kind: kind as InputKind, copy, isOneFile: both !== '' }, env).then((script) =>
        socket.end(script),
      )
    })
    // The shell may have been killed.
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const script = `#!/usr/bin/env bash\nSYN_PORT=${port}\n${syn}\nsyn "$@"\n`
  return { port, script, [Symbol.dispose]: () => void server.close() }
}

/** Runs a line in bash, where `syn` runs in this process. @param env Also of the runs. */
export async function shellInProcess(line: string, env: Record<string, string>): Promise<Ended> {
  using server = await startSynServer(env)
  return await start('bash', ['-c', `${syn}\n${line}`], { ...env, SYN_PORT: `${server.port}` }).ended
}

interface Streams {
  readonly kind: InputKind
  /** A file with what standard input has. */
  readonly copy: string
  readonly isOneFile: boolean
}

async function scriptOf(
  argv: string[],
  { kind, copy, isOneFile }: Streams,
  env: Record<string, string>,
): Promise<string> {
  const lines: string[] = []
  const { code } = await runSyn(argv, {
    env,
    now: Date.now,
    stdinKind: kind,
    ...(copy !== '' && { stdin: createReadStream(copy) }),
    isOneFile,
    onWrite: (text) => void lines.push(`printf %s ${quoted(text)}`),
    onNotice: (text) => void lines.push(`printf %s ${quoted(text)} >&2`),
  })
  return [...lines, `exit ${code}`].join('\n')
}
