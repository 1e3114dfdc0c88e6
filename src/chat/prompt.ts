/** The prompt of the input line, which shows what is attached. */

import { posix } from 'node:path'
import { safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { cutTo, widthOf } from '../terminal/width.ts'
import type { ChatState } from './state.ts'

/** In columns. */
const longestName = 20
/** A name shorter than this says nothing. */
const shortestName = 5

/** `› `, or `[photo.png +2] › ` with three attachments. */
export function inputPrompt({ attachments, context, style }: ChatState): SafeText {
  const prompt = safe`${style.bold(safe`›`)} `
  const [first, ...others] = attachments
  if (!first) return prompt
  const more = others.length === 0 ? safe`` : safe` +${others.length}`
  // Half of the row is for the text.
  const room = Math.floor((context.io.out.columns() - 1) / 2) - widthOf(safe`[${more}] › `)
  if (room < shortestName) return prompt
  const name = cutTo(sanitizeName(baseName(first.name)), Math.min(longestName, room))
  return safe`${style.dim(safe`[`)}${name}${more}${style.dim(safe`]`)} ${prompt}`
}

/** The last part of a path or URL, or else the URL's host. */
export function baseName(name: string): string {
  if (name.startsWith('data:')) return 'image'
  if (!/^https?:/i.test(name) || !URL.canParse(name)) return posix.basename(name)
  const { pathname, host } = new URL(name)
  return posix.basename(pathname) || host
}
