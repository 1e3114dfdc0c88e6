/**
 * A toy tokenizer without a vocabulary: a token is at most six UTF-8 bytes of a word, and its id is those bytes read as
 * one number. So every text has ids, every id has a text, and English comes to about four characters a token.
 */

const longestToken = 6
const pieces = / ?[\p{L}\p{M}]+| ?\p{N}{1,3}|\s+| ?[^\s\p{L}\p{M}\p{N}]+/gu

/** @returns the text's tokens; joined they are the text again. */
export function tokenize(text: string): string[] {
  return (text.match(pieces) ?? []).flatMap(chop)
}

export function countTokens(text: string): number {
  return tokenize(text).length
}

/** The id that the bytes of a token stand for. */
export function tokenId(token: string): number {
  return Buffer.from(token).reduce((id, byte) => id * 256 + byte, 0)
}

/** The text of several ids. Their bytes are joined first, since a token of somebody else may hold half a character. */
export function textOfTokens(ids: readonly number[]): string {
  return Buffer.from(ids.flatMap(bytesOf)).toString('utf8')
}

function bytesOf(id: number): number[] {
  const bytes = [id % 256]
  for (let rest = Math.floor(id / 256); rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return bytes
}

function chop(piece: string): string[] {
  if (Buffer.byteLength(piece) <= longestToken && !piece.includes('\0')) return [piece]
  const tokens: string[] = []
  let token = ''
  for (const character of piece) {
    // A leading zero byte would be lost in the number: NUL is always a token of its own.
    const isFull = Buffer.byteLength(token + character) > longestToken || character === '\0' || token === '\0'
    if (isFull && token !== '') {
      tokens.push(token)
      token = ''
    }
    token += character
  }
  return [...tokens, token]
}

/** FNV-1a, 32 bits of a text: choices made by it look free but are the same for the same request. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
