import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runEditor } from '../../io/editor.ts'
import { decodeText } from '../../io/files.ts'
import type { Io } from '../../io/io.ts'

/**
 * Lets the user write a text in an editor of their choice, in a private file that is gone afterwards.
 * @returns nothing but an empty text where the editor took the file away.
 * @throws FailedError when the editor fails, UsageError for what is not UTF-8.
 */
export async function editText(text: string, io: Io): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'syn-'))
  // Editors know Markdown by its name, and messages mostly are.
  const file = join(folder, 'message.md')
  try {
    await writeFile(file, text, { mode: 0o600 })
    const failure = await runEditor(file, io)
    if (failure) throw failure
    // Editors end the last line, which the text in the line did not.
    return existsSync(file) ? decodeText(await readFile(file), 'the text').replace(/\n$/, '') : ''
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
