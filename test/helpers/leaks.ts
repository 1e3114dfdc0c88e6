/** Finds an API key in what the program wrote. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** This many characters of a key in a row are a leak. */
const leakLength = 12

/** The parts of a key in a text, which may be written with JSON's escapes, of JSON inside JSON too. */
export function leaksIn(text: string, key: string): string[] {
  const plain = text
    .replaceAll(/\\u005c/gi, '\\')
    .replaceAll(/\\+u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\+\//g, '/')
  const parts = Array.from({ length: key.length - leakLength + 1 }, (_, at) => key.slice(at, at + leakLength))
  return parts.filter((part) => text.includes(part) || plain.includes(part))
}

/** The text of all files in a folder and the folders in it. */
export function textOfFiles(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
}

/** The ways to write a key in JSON: between the quotes of a string, in JSON that is in a string, and split. */
export const spellings: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  'with one escape': (key) => escaped(key.charAt(0)) + key.slice(1),
  'with an escape inside': (key) =>
    key.slice(0, 5) + escaped(key.charAt(5)).toUpperCase().replace('U', 'u') + key.slice(6),
  'with escapes only': escaped,
  'with an escaped slash': (key) => key.replaceAll('/', '\\/'),
  'in JSON in a string': (key) => inString(`{"key":"${escaped(key.charAt(0))}${key.slice(1)}"}`),
  'with escapes only, in JSON in JSON in a string': (key) => inString(inString(`{"key":"${escaped(key)}"}`)),
  'with an escaped slash, in JSON in a string': (key) => inString(`["${key.replaceAll('/', '\\/')}"]`),
  'with an escaped escape': (key) => `\\u005cu0073${key.slice(1)}`,
}

function escaped(text: string): string {
  return Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

function inString(json: string): string {
  return JSON.stringify(json).slice(1, -1)
}
