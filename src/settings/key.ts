/** The API key: its check, and the command that prints it. */

import { MissingKeyError, UsageError } from '../errors.ts'
import type { Io } from '../io/io.ts'

/**
 * Trims a key and makes sure that a header can carry it.
 * @param where Names the text in the error, which never shows it.
 * @throws UsageError
 */
export function checkKey(text: string, where: string): string {
  const key = text.trim()
  if (key === '') throw new UsageError(`${where}: the key is empty`)
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(`${where}: the key holds spaces, line breaks or characters outside ASCII`)
  }
  return key
}

/**
 * Runs the command that tells the key, such as `pass show syn`.
 * @returns the first line of its output that is not empty: password managers print further data after it.
 * @throws MissingKeyError when it fails or tells nothing.
 */
export async function runKeyCommand(command: string, io: Io): Promise<string> {
  const { output, end } = await runShell(command, io)
  io.signal.throwIfAborted()
  // Not quoted: whoever wrote `echo sk-…` as the command has the key in it.
  if (end !== undefined) throw new MissingKeyError(`the key command ${end}`)
  const line = output.split(/\r?\n/).find((text) => text.trim() !== '')
  if (line === undefined) throw new MissingKeyError('the key command printed no key')
  return line.trim()
}

/** `end` says how the command failed, and is absent when it did not. */
async function runShell(command: string, io: Io): Promise<{ output: string; end?: string }> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const child = spawn(command, {
      shell: true,
      env: io.env,
      signal: io.signal,
      // A password manager may ask for its passphrase, but must not swallow the text that is piped to us.
      stdio: [io.in.kind === 'terminal' ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    })
    // What the shell started lives on, and would keep the pipe open.
    io.signal.addEventListener('abort', () => child.stdout?.destroy(), { once: true })
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => resolve({ output: '', end: `can't be run: ${error.message}` }))
    child.on('close', (status, signal) => {
      const output = Buffer.concat(chunks).toString('utf8')
      if (status === 0) resolve({ output })
      else resolve({ output, end: signal === null ? `failed with status ${status}` : `was ended by ${signal}` })
    })
  })
}
