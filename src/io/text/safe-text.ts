/**
 * Text that is safe to write to a terminal. A terminal's sink takes nothing else, so that a model, a service or a stored
 * file cannot move the cursor, set the title or write to the clipboard. Elsewhere text passes through unchanged.
 *
 * Only the functions here make SafeText. `test/architecture/rules.ts` lists the files that may use the three at the end.
 */

declare const brand: unique symbol

/** Without control characters, except tabs, line feeds and the escape sequences that syn itself writes. */
export type SafeText = {
  readonly [brand]: true
  trim(): SafeText
  trimStart(): SafeText
  trimEnd(): SafeText
  padStart(width: number): SafeText
  padEnd(width: number): SafeText
  repeat(count: number): SafeText
  split(separator: '\n'): SafeText[]
} & string

// C0 except tab and line feed, DEL, C1, and the characters that change the direction of the text after them:
// embeddings, overrides and isolates.
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** For text of several lines. A carriage return before a line feed is removed. */
export function sanitizeForTerminal(text: string): SafeText {
  return text.replaceAll('\r\n', '\n').replace(harmful, symbolFor) as SafeText
}

/** For names: the result is one line. */
export function sanitizeName(name: string): SafeText {
  return sanitizeForTerminal(name).replace(/[\n\t]/g, ' ') as SafeText
}

/** For JSON documents: writes the characters as JSON escapes, so that the value is unchanged. */
export function sanitizeJson(json: string): SafeText {
  return json.replace(harmful, escapeFor) as SafeText
}

/** ESC → `␛`; a character without a symbol → `�`. */
function symbolFor(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** A carriage return is whitespace between values: JSON has no other control characters there. */
function escapeFor(character: string): string {
  if (character === '\r') return ' '
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A template of our own text, such as safe`${name}: ${count}`. The compiler rejects untrusted strings in it. */
export function safe(literals: TemplateStringsArray, ...values: readonly (SafeText | number)[]): SafeText {
  return literals.reduce((text, literal, index) => `${text}${values[index - 1]}${literal}`) as SafeText
}

export function joinSafe(texts: readonly SafeText[], separator = noText): SafeText {
  return texts.join(separator) as SafeText
}

export const noText = safe``

/** Each line with a line feed. */
export function linesOf(lines: readonly SafeText[]): SafeText {
  return joinSafe(lines.map((line) => safe`${line}\n`))
}

/** @param change Gets a match, and returns what replaces it. */
export function replaceSafe(text: SafeText, pattern: RegExp, change: (match: SafeText) => SafeText): SafeText {
  return text.replace(pattern, (match) => change(match as SafeText)) as SafeText
}

/** For code that makes a text longer, shorter or colored: what it made is as safe as the text it was made from. */
export function asSafeAs<Text extends string>(_from: Text, made: string): Text {
  return made as Text
}

/** For code that composes escape sequences of our own and text that it got as SafeText, or sanitized itself. */
export function asSafeText(composed: string): SafeText {
  return composed as SafeText
}

/** For code that writes the same to terminals and elsewhere. The result may be written to this sink only. */
export function textFor(
  sink: { readonly isTerminal: boolean },
  text: string,
  sanitize: (text: string) => SafeText = sanitizeForTerminal,
): SafeText {
  return sink.isTerminal ? sanitize(text) : (text as SafeText)
}
