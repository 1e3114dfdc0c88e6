/** What a path leads to, for texts that may be none. */

import { type Stats, statSync } from 'node:fs'

/**
 * Never throws: a text may have a NUL, be longer than a name can be, or lead through a file or a closed folder.
 * @returns `undefined` if there is nothing, or it cannot be found out; reading it says why.
 */
export function statsOf(text: string): Stats | undefined {
  try {
    return statSync(text, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export function isFile(text: string): boolean {
  return statsOf(text)?.isFile() ?? false
}
