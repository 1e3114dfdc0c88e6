/** What a path leads to, for texts that may be none, and the open descriptor that it names. */

import { fstatSync, lstatSync, readdirSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { isSystemError } from '../../errors.ts'

/**
 * Never throws: a text may have a NUL, be longer than a name can be, or lead through a file or a closed folder.
 * @param text Or a descriptor, which may be closed.
 * @returns `undefined` if there is nothing, or it cannot be found out; reading it says why.
 */
export function statsOf(text: string | number): Stats | undefined {
  try {
    return typeof text === 'number' ? fstatSync(text) : statSync(text, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export function isFile(text: string): boolean {
  return statsOf(text)?.isFile() ?? false
}

/**
 * Whether there is something, were it a link to nothing. Also true where this cannot be found out, as in a directory that may not
 * be searched: reading then says why.
 */
export function mayExist(text: string): boolean {
  try {
    return lstatSync(text, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return isSystemError(error) && error.code !== 'ENOTDIR' && error.code !== 'ENAMETOOLONG'
  }
}

/**
 * What a shell takes for a path in which bytes that are not UTF-8 became U+FFFD, as in Node's arguments and folders, such as `$'a\\xff'`. @returns `undefined` for any other path, and without such a file.
 */
export function quotedBytes(path: string): string | undefined {
  try {
    if (!isDamagedName(path)) return undefined
    const bytes = bytesOf(path).toString('latin1').replace(/^\.\//, '')
    const hex = (one: string): string => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`
    return `$'${bytes.replace(/['\\]/g, String.raw`\$&`).replace(/[^ -~]/g, hex)}'`
  } catch {
    return undefined
  }
}

/** Whether bytes of a path were lost, so that nothing is found there. */
export function isDamagedName(path: string): boolean {
  return path.includes('\ufffd') && !mayExist(path)
}

/** @throws system errors; Error without such a file. */
function bytesOf(path: string): Buffer {
  const [parent, name] = [dirname(path), basename(path)]
  if (parent === path) return Buffer.from(path)
  const folder = bytesOf(parent)
  const found = readdirSync(folder, { encoding: 'buffer' }).find((one) => one.toString() === name)
  if (!found) throw new Error(`no ${name}`)
  return Buffer.concat([folder, Buffer.from(parent === '/' ? '' : '/'), found])
}

export function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino
}

/** How many links Linux follows. */
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
