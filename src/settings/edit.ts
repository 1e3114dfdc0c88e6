/** Edits the config file in the user's editor. Neither the old file nor what was typed is ever lost. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError, isSystemError } from '../errors.ts'
import { decodeText } from '../io/files.ts'
import type { Io } from '../io/io.ts'
import { makePrivate } from '../io/private.ts'
import { parseDocument, readConfigFile } from './document.ts'
import { runEditor } from '../io/editor.ts'
import { askWhether, canAsk } from '../io/question.ts'
import { replaceText } from './store.ts'

type Say = (text: string) => Promise<void>

const emptyText = '{\n  "profiles": {}\n}\n'

/**
 * Lets the user edit a copy, and stores it once it is in order.
 * @returns whether anything changed.
 * @throws UsageError for a text that is not in order, FailedError when the editor fails; the text is kept beside the file.
 */
export async function editDocument(path: string, say: Say, io: Io): Promise<boolean> {
  makePrivate(dirname(path))
  const before = readConfigFile(path)
  // Beside the file rather than among the system's temporary files: it may hold a key.
  const folder = mkdtempSync(join(dirname(path), 'edit-'))
  const copy = join(folder, 'config.json')
  try {
    writeFileSync(copy, before ?? emptyText, { mode: 0o600 })
    return await editCopy(copy, path, before, say, io)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function editCopy(
  copy: string,
  path: string,
  before: Uint8Array | undefined,
  say: Say,
  io: Io,
): Promise<boolean> {
  for (;;) {
    const failure = await runEditor(copy, io)
    const after = readFileSync(copy)
    const isSame = after.equals(before ?? Buffer.from(emptyText))
    try {
      if (failure) throw failure
      io.signal.throwIfAborted()
      if (isSame) return false
      parseDocument(after, path)
      await replaceText(path, before, decodeText(after, path))
      return true
    } catch (error) {
      if (isSame) throw error
      const isDamaged = error instanceof UsageError
      if (isDamaged && canAsk(io) && (await askWhether(`${error.message}. Open the editor again?`, io))) continue
      await say(`your text is kept in ${keep(after, path)}`)
      throw error
    }
  }
}

/** Saves a text under the first name that is free. */
function keep(text: Uint8Array, path: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${path}.rejected` : `${path}.rejected-${number}`
    try {
      writeFileSync(name, text, { mode: 0o600, flag: 'wx' })
      return name
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'EEXIST') throw error
    }
  }
}
