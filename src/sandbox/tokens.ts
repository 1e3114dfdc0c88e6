/**
 * A simple tokenizer without a vocabulary: a token is at most six UTF-8 bytes of a word, and its id is those bytes as a
 * number. So every text has ids, every id has a text, and English has about four characters per token.
 */

const maxTokenBytes = 6
/** NUL is always a token of its own: as a leading byte it would be lost in the number. */
const pieces = /\0| ?[\p{L}\p{M}]+| ?\p{N}{1,3}|\s+| ?[^\0\s\p{L}\p{M}\p{N}]+/gu

/** @returns the tokens, which joined are the text again. */
export function tokenize(text: string): string[] {
  return (text.match(pieces) ?? []).flatMap(splitPiece)
}

export function tokenCount(text: string): number {
  return tokenize(text).length
}

/** The token's bytes as a number. */
export function tokenId(token: string): number {
  return Buffer.from(token).reduce((id, byte) => id * 256 + byte, 0)
}

/** Joins bytes before decoding them: the ids of another tokenizer may split characters. */
export function textOfTokens(ids: readonly number[]): string {
  return Buffer.from(ids.flatMap(bytesOf)).toString('utf8')
}

function bytesOf(id: number): number[] {
  const bytes = [id % 256]
  for (let rest = Math.floor(id / 256); rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return bytes
}

function splitPiece(piece: string): string[] {
  if (Buffer.byteLength(piece) <= maxTokenBytes) return [piece]
  const tokens: string[] = []
  let token = ''
  for (const character of piece) {
    if (Buffer.byteLength(token + character) > maxTokenBytes) {
      tokens.push(token)
      token = ''
    }
    token += character
  }
  return [...tokens, token]
}

/** 32-bit FNV-1a hash: choices made by it look random but are the same for the same request. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
