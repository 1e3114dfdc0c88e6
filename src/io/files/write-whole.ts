import { writeSync } from 'node:fs'

/**
 * Writes all of the bytes: a file takes a part if the disk has no room for more, and the next write fails.
 * @throws system errors, such as a full disk.
 */
export function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
}
