/** Checks the API key, and runs the key command. */

import { MissingKeyError, UsageError } from '../errors.ts'
import { onAbort } from '../io/time/abort-signal.ts'
import type { Io } from '../io/io.ts'
import { childFailure } from '../io/process/child-exit.ts'

/** Trims a key. @param where Names it in the error, which never shows it. @throws UsageError if no HTTP header can hold it. */
export function validKey(text: string, where: string): string {
  const key = text.trim()
  if (key === '') throw new UsageError(`${where}: the key is empty`)
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(`${where}: the key contains spaces, line breaks or non-ASCII characters`)
  }
  return key
}

/**
 * Runs the command that prints the key, such as `pass show syn`.
 * @returns the first non-blank line of its output: password managers print more after it.
 * @throws MissingKeyError if it fails or prints nothing.
 */
export async function runKeyCommand(command: string, io: Io): Promise<string> {
  const output = await runShell(command, io)
  const line = output.split(/\r?\n/).find((text) => text.trim() !== '')
  if (line === undefined) throw new MissingKeyError('the key command printed no key')
  return line.trim()
}

/** In bytes: more than any password manager prints with a key. */
const maxOutput = 1024 * 1024

/** @returns the output. @throws MissingKeyError if the command fails; the signal's reason. */
async function runShell(command: string, io: Io): Promise<string> {
  const { spawn } = await import('node:child_process')
  io.signal.throwIfAborted()
  const chunks: Buffer[] = []
  let length = 0
  const child = spawn(command, {
    shell: true,
    env: io.env,
    // A password manager may ask for its passphrase, but must not read the text that is piped to syn. For the same
    // reason it stays in the foreground group of the terminal.
    stdio: [io.in.kind === 'terminal' ? 'inherit' : 'ignore', 'pipe', 'inherit'],
  })
  const failure = await new Promise<string | undefined>((resolve) => {
    // Processes started by the shell survive it. They are not waited for, and cannot write to the closed pipe.
    const end = (reason: string): void => {
      child.kill()
      child.stdout?.destroy()
      child.unref()
      resolve(reason)
    }
    const ignoreAbort = onAbort(io.signal, () => end('was stopped'))
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxOutput) end('printed more than 1 MiB')
      else chunks.push(chunk)
    })
    void childFailure(child).then(resolve).finally(ignoreAbort)
  })
  io.signal.throwIfAborted()
  // The command is not quoted: its words may contain the key, as in `echo sk-…`.
  if (failure !== undefined) throw new MissingKeyError(`the key command ${failure}`)
  return Buffer.concat(chunks).toString('utf8')
}
