/** Line breaks without a space: between Chinese and Japanese characters, emoji, and the words of Thai, Lao, Khmer and Burmese. */

import { dictionaryWords } from '../graphemes.ts'

// Without skin tones and the two halves of a flag, which belong to the character before them.
const breakable =
  /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff01-\uff60]|(?![\u{1f1e6}-\u{1f1ff}]|\p{Emoji_Modifier})\p{Emoji_Presentation})$/u
const inWord = /^[\p{L}\p{N}]$/u
// Line breaking rules of Japanese (kinsoku): characters that may not start a line, and that may not end one.
const neverFirst =
  /^[、。，．！？：；）」』】》〉〕〗〙｝］ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ・…‥〜゛゜]$/u
const neverLast = /^[（「『【《〈〔〖〘｛［]$/u

/** @param before and @param after are one code point each. */
export function mayBreakBetween(before: string, after: string): boolean {
  if (before < '\u2e80' && after < '\u2e80' && before.length === 1 && after.length === 1) return false
  if (neverFirst.test(after) || neverLast.test(before)) return false
  return breakable.test(before)
    ? breakable.test(after) || inWord.test(after)
    : inWord.test(before) && breakable.test(after)
}

/** In characters: the time of the segmenter grows with the square of the text, 3 ms for so much. */
const longestInWords = 4000

/** Scripts without spaces between words, which a dictionary finds. */
const spaceless = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** A letter, but no sign of an abbreviation or a repetition, which belongs to the word before it. */
const startsWord = /^(?![ฯๆໆ])\p{L}/u

/**
 * The parts of a word between which a line may break.
 * @param isOpen Whether the word may go on, which can change where the last words of Thai end.
 */
export function unbreakable(word: string, isOpen = false): string[] {
  if (!isOpen && word.length <= longestInWords && spaceless.test(word)) return spacelessWords(word)
  if (!hasWide.test(word)) return [word]
  const parts: string[] = []
  let before = ''
  for (const character of word) {
    if (before === '' || mayBreakBetween(before, character)) parts.push(character)
    else parts[parts.length - 1] += character
    before = character
  }
  return parts
}

function spacelessWords(text: string): string[] {
  const parts = ['']
  for (const word of dictionaryWords(text)) {
    const isBoundary = spaceless.test(lastCodePoint(parts.at(-1) ?? '')) && spaceless.test(word.charAt(0))
    if (isBoundary && startsWord.test(word)) parts.push(word)
    else parts[parts.length - 1] += word
  }
  return parts
}

const hasWide = /[\u2e80-\uffff]/

/** The last code point of a text. */
export function lastCodePoint(text: string): string {
  const low = text.charCodeAt(text.length - 1)
  return text.slice(low >= 0xdc00 && low <= 0xdfff ? -2 : -1)
}

/** The code point at a position. */
export function codePointAt(text: string, at: number): string {
  const high = text.charCodeAt(at)
  return text.slice(at, high >= 0xd800 && high <= 0xdbff ? at + 2 : at + 1)
}
