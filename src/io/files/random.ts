/** Random names. */

/** @returns eight hexadecimal digits that nobody can guess. */
export function randomSuffix(): string {
  // Not node:crypto, which loads more of Node.
  return Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString('hex')
}
