import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runEditor } from '../../io/process/editor.ts'
import { decodeText, readInput } from '../../io/files/files.ts'
import { InputBudget } from '../../io/process/input-budget.ts'
import type { Io } from '../../io/io.ts'

/**
 * Opens a text in `$VISUAL` or `$EDITOR`, in a private file that is removed afterwards.
 * @returns the saved text; empty if the editor deleted the file.
 * @throws FailedError if the editor fails, UsageError if the saved text is not UTF-8 or too large.
 */
export async function editText(text: string, io: Io): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'syn-'))
  const takeInterrupts = io.leaveInterrupts()
  // Editors recognize Markdown by the extension, and most messages are Markdown.
  const file = join(folder, 'message.md')
  try {
    await writeFile(file, text, { mode: 0o600 })
    const failure = await runEditor(file, io)
    if (failure) throw failure
    const request = { ...io, inputBudget: new InputBudget() }
    // Editors end the last line with a line feed, which the text did not have.
    return existsSync(file)
      ? decodeText(await readInput(file, 'the edited text', request), 'the edited text').replace(/\n$/, '')
      : ''
  } finally {
    await rm(folder, { recursive: true, force: true })
    takeInterrupts()
  }
}
