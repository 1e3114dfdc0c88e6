const letters = ' abcdefghijklmnopqrstuvwxyz'

/** The id of a token of the sandbox: its bytes as a number, or above those the letters of a word of more than six bytes. */
export function tokenId(token: string): number {
  if (Buffer.byteLength(token) <= 6) return Buffer.from(token).reduce((id, byte) => id * 256 + byte, 0)
  return 256 ** 6 + [...token].reduce((id, letter) => id * 32 + letters.indexOf(letter) + 1, 0)
}
