/** Paths such as `/dev/stdout`, which name an open descriptor. */

import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** As many links as Linux follows. */
export const maxLinks = 40

/**
 * The open descriptor that a path such as `/dev/stdout` or `/dev/fd/3` names. On Linux it is a link to the file, which may
 * have content from before: to replace it, or to open it again, would destroy that.
 */
export function descriptorOf(path: string, links = maxLinks): number | undefined {
  try {
    const [folder, name] = [realpathSync(dirname(path)), basename(path)]
    // On Linux, both are the folder of this process in /proc.
    if (folder === realpathSync('/dev/fd') && /^\d+$/.test(name)) return Number(name)
    return links === 0 ? undefined : descriptorOf(resolve(folder, readlinkSync(path)), links - 1)
  } catch {
    return undefined
  }
}
