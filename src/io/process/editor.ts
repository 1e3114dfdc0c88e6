/** The user's text editor. */

import { spawn, type SpawnOptions } from 'node:child_process'
import { constants, tmpdir } from 'node:os'
import { FailedError, type SynError, UsageError } from '../../errors.ts'
import { onAbort } from '../time/abort-signal.ts'
import { type Io, withoutOwnVariables } from '../io.ts'
import { childFailure } from './child-exit.ts'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeText, readInput } from '../files/files.ts'
import { InputBudget } from './input-budget.ts'

/**
 * Opens a file in `$VISUAL` or `$EDITOR`, or with another command, with its arguments, and waits until the editor exits.
 * @returns the error, or the reason of `io.signal`, instead of throwing it, so that the caller can keep the file;
 * `undefined` after exit status 0.
 * @throws UsageError when neither is set and there is no terminal.
 */
export async function runEditor(file: string, io: Io, command?: string): Promise<SynError | undefined> {
  const isTerminal = io.in.kind === 'terminal'
  const configured = command ?? (io.env.VISUAL || io.env.EDITOR)
  if (!configured && !isTerminal) {
    throw new UsageError('cannot start an editor without a terminal', { hint: 'set EDITOR to a command' })
  }
  const editor = configured || (io.platform === 'win32' ? 'notepad' : 'vi')
  const env = withoutOwnVariables(io)
  const options: SpawnOptions = { env, stdio: [isTerminal ? 'inherit' : 'ignore', 'inherit', 'inherit'] }
  const child =
    io.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { ...options, shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], options)
  // At Ctrl-C the terminal signals the editor too, which may handle it. Other signals reach only this process.
  using _listener = onAbort(io.signal, () => {
    const { code } = io.signal.reason as { code?: number }
    if (code !== 128 + constants.signals.SIGINT) child.kill()
  })
  const failure = await childFailure(child)
  if (failure === undefined) return undefined
  if (io.signal.aborted) return io.signal.reason as SynError
  return new FailedError(`the editor ${JSON.stringify(editor)} ${failure}`)
}

/**
 * Opens a text as `runEditor` does, in a private file that is removed afterwards.
 * @param name Of the file. Editors recognize Markdown by the extension, and most messages are Markdown.
 * @returns what was saved, empty if the editor deleted the file; also if the editor failed, or `io.signal` was aborted.
 * @throws UsageError if what was saved is not UTF-8 or too large; it names the file, which stays.
 */
export async function editText(text: string, io: Io, name = 'message.md', command?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'syn-'))
  const takeInterrupts = io.leaveInterrupts()
  const file = join(folder, name)
  let isKept = false
  try {
    await writeFile(file, text, { mode: 0o600 })
    const failure = await runEditor(file, io, command)
    if (!existsSync(file)) return { text: failure ? text : '', failure }
    isKept = true
    // What was saved is read after the end of the run, too.
    const request = { ...io, signal: new AbortController().signal, inputBudget: new InputBudget() }
    const saved = decodeText(await readInput(file, 'the edited text', request), `the edited text ${file}`)
    isKept = false
    // Editors end the last line, which had no end in the text, and those of Windows end each with a carriage return, too.
    return { text: saved.replaceAll('\r\n', '\n').replace(/\n$/, ''), failure }
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true })
    takeInterrupts()
  }
}
