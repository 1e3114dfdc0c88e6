/** Checks the API key, and runs the key command. */

import { MissingKeyError, UsageError } from '../errors.ts'
import type { Io } from '../io/io.ts'

/**
 * Trims a key, and checks that an HTTP header can hold it.
 * @param where Names the key in the error, which never shows it.
 * @throws UsageError
 */
export function checkKey(text: string, where: string): string {
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
  const { output, failure } = await runShell(command, io)
  io.signal.throwIfAborted()
  // Not quoted: the command may contain the key, as in `echo sk-…`.
  if (failure !== undefined) throw new MissingKeyError(`the key command ${failure}`)
  const line = output.split(/\r?\n/).find((text) => text.trim() !== '')
  if (line === undefined) throw new MissingKeyError('the key command printed no key')
  return line.trim()
}

/** @returns the output, and how the command failed if it did. */
async function runShell(command: string, io: Io): Promise<{ output: string; failure?: string }> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const child = spawn(command, {
      shell: true,
      env: io.env,
      signal: io.signal,
      // A password manager may ask for its passphrase, but must not read the text that is piped to syn.
      stdio: [io.in.kind === 'terminal' ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    })
    // Processes started by the shell survive it, and would keep the pipe open.
    io.signal.addEventListener('abort', () => child.stdout?.destroy(), { once: true })
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => resolve({ output: '', failure: `cannot be run: ${error.message}` }))
    child.on('close', (status, signal) => {
      const output = Buffer.concat(chunks).toString('utf8')
      if (status === 0) resolve({ output })
      else resolve({ output, failure: signal === null ? `exited with status ${status}` : `was killed by ${signal}` })
    })
  })
}
