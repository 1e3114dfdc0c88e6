/** The ways to write the API key of the tests in JSON. */

import { testKey } from './canary.ts'

/** Between the quotes of a string. */
export const spellings: Readonly<Record<string, string>> = {
  'as it is': testKey,
  'with one escape': escaped(testKey.charAt(0)) + testKey.slice(1),
  'with an escape inside':
    testKey.slice(0, 5) + escaped(testKey.charAt(5)).toUpperCase().replace('U', 'u') + testKey.slice(6),
  'with escapes only': escaped(testKey),
  'with an escaped slash': testKey.replaceAll('/', '\\/'),
  'in JSON in a string': inString(`{"key":"${escaped(testKey.charAt(0))}${testKey.slice(1)}"}`),
  'with escapes only, in JSON in JSON in a string': inString(inString(`{"key":"${escaped(testKey)}"}`)),
  'with an escaped slash, in JSON in a string': inString(`["${testKey.replaceAll('/', '\\/')}"]`),
  'with an escaped escape': `\\u005cu0073${testKey.slice(1)}`,
}

function escaped(text: string): string {
  return Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

function inString(json: string): string {
  return JSON.stringify(json).slice(1, -1)
}
