/** A line that is nothing but the path of a file, as terminals paste it for a file that is dropped on them. */

import { isImageFile } from '../input/image.ts'
import type { Io } from '../io/io.ts'
import { safe, sanitizeName } from '../io/text/safe-text.ts'
import { isFile } from '../io/files/stats.ts'
import { cutTo } from '../terminal/width.ts'
import { baseName } from './prompt.ts'
import { attachFile, attachImage } from './slash-commands/image-file.ts'
import { existingPath } from './slash-commands/typed-path.ts'
import type { ChatState } from './state.ts'

/** In columns, in the question. */
const longestName = 40

/** The path of an existing file: absolute, or one that starts with `~/`, `./` or `../`, in quotes or with backslashes. */
export function droppedFile(text: string, io: Pick<Io, 'env'>): string | undefined {
  const typed = text.trim()
  // Two slashes begin a message.
  if (!/^(['"]?(~|\.{0,2})\/(?!\/)|file:)/i.test(typed)) return undefined
  const path = existingPath(typed, io)
  return isFile(path) ? path : undefined
}

/**
 * Asks whether to attach it, and attaches it as an image or as text.
 * @returns the answer.
 * @throws UsageError if it cannot be attached.
 */
export async function offerToAttach(path: string, chat: ChatState): Promise<boolean | undefined> {
  const isWanted = await chat.confirm(safe`attach ${cutTo(sanitizeName(baseName(path)), longestName)}?`)
  if (isWanted) await (isImageFile(path) ? attachImage(path, chat) : attachFile(path, chat))
  return isWanted
}
