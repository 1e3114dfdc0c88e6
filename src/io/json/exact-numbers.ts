/** Numbers that keep the digits of the service from parsing to printing. */

import type { Json } from './json.ts'
import { visitNumbers } from './scan.ts'

/** A number in JSON that JavaScript may change, such as one of 16 digits, 1.50, 1e5 and -0. Takes 0.5 µs for a chunk. */
const mayChange = /(?:^|[:,[])[ \t\n\r]*[-\d](?:0(?![.\d])|[\d.]*(?:[.eE]|\d{15}))/

/** A random prefix of strings that stand for numbers: no reply can know it. Made when first needed. */
let numberMark: string | undefined

/**
 * The same value for printing: each number that JavaScript would change is a string from which `exactJson` writes it as it was.
 * An `index` stays a number, which is computed with.
 * @param text Its JSON.
 */
export function withExactNumbers<Value extends Json>(value: Value, text: string): Value {
  if (!mayChange.test(text)) return value
  // Joined at the end: a text that grows by each of a million numbers takes twice as long.
  const pieces: string[] = []
  let copied = 0
  visitNumbers(text, (number, start) => {
    if (String(Number(number)) === number || isIndexAt(text, start)) return
    numberMark ??= `${crypto.randomUUID()}:`
    pieces.push(text.slice(copied, start), '"', numberMark, number, '"')
    copied = start + number.length
  })
  return copied === 0 ? value : (JSON.parse(pieces.join('') + text.slice(copied)) as Value)
}

/** Whether the number at an offset is that of an `index`. */
function isIndexAt(text: string, start: number): boolean {
  return /[\s:]/.test(text.charAt(start - 1)) && /"index"\s*:\s*$/.test(text.slice(Math.max(0, start - 20), start))
}

/** Whether a value stands for a number. */
export function isExactNumber(value: Json): boolean {
  return numberMark !== undefined && typeof value === 'string' && value.startsWith(numberMark)
}

/** The number that a value of `withExactNumbers` stands for; any other value unchanged. */
export function numberOf<Value extends Json | undefined>(value: Value): Value | number {
  if (numberMark === undefined || typeof value !== 'string' || !value.startsWith(numberMark)) return value
  return Number(value.slice(numberMark.length))
}

/** `JSON.stringify` for what is written and sent: with numbers of `withExactNumbers`, and well-formed text. */
export function exactJson(value: Json | object, indent?: number): string {
  const text = withoutHalves(JSON.stringify(value, undefined, indent))
  return numberMark === undefined ? text : text.replaceAll(new RegExp(`"${numberMark}([-+.\\deE]+)"`, 'g'), '$1')
}

/** Half of a pair of UTF-16 surrogates, which JSON has as an escape, becomes U+FFFD: many parsers refuse it, and services too. */
function withoutHalves(json: string): string {
  if (!json.includes('\\ud')) return json
  // All other escapes are found as well: in `\\ud800`, the first two characters are one.
  return json.replaceAll(/\\(?:ud[89a-f]..|.)/g, (escape) => (escape.length > 2 ? '\ufffd' : escape))
}
