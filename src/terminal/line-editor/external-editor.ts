import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runEditor } from '../../io/process/editor.ts'
import type { SynError } from '../../errors.ts'
import { decodeText, readInput } from '../../io/files/files.ts'
import { InputBudget } from '../../io/process/input-budget.ts'
import type { Io } from '../../io/io.ts'

/**
 * Opens a text in `$VISUAL` or `$EDITOR`, in a private file that is removed afterwards.
 * @returns what was saved, empty if the editor deleted the file; also if the editor failed, or `io.signal` was aborted.
 * @throws UsageError if what was saved is not UTF-8 or too large; it names the file, which stays.
 */
export async function editText(text: string, io: Io): Promise<{ text: string; failure?: SynError | undefined }> {
  const folder = await mkdtemp(join(tmpdir(), 'syn-'))
  const takeInterrupts = io.leaveInterrupts()
  // Editors recognize Markdown by the extension, and most messages are Markdown.
  const file = join(folder, 'message.md')
  let isKept = false
  try {
    await writeFile(file, text, { mode: 0o600 })
    const failure = await runEditor(file, io)
    if (!existsSync(file)) return { text: failure ? text : '', failure }
    isKept = true
    // Also after the end of the run.
    const request = { ...io, signal: new AbortController().signal, inputBudget: new InputBudget() }
    const saved = decodeText(await readInput(file, 'the edited text', request), `the edited text ${file}`)
    isKept = false
    // Editors end the last line with a line feed, which the text did not have.
    return { text: saved.replace(/\n$/, ''), failure }
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true })
    takeInterrupts()
  }
}
