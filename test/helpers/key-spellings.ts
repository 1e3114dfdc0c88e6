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

/**
 * The ways to write a key so that rendered Markdown shows it.
 * @param key With a hyphen as the eighth character: stars between letters open no emphasis.
 */
export function markdownSpellings(key: string): Readonly<Record<string, string>> {
  const [start, middle, end] = [key.slice(0, 8), key.slice(8, 16), key.slice(16)]
  const entities = (text: string, base: 10 | 16): string =>
    Array.from(text, (one) => `&#${base === 16 ? 'x' : ''}${one.charCodeAt(0).toString(base)};`).join('')
  return {
    'with an entity': entities(key.charAt(0), 10) + key.slice(1),
    'with an entity inside': start + entities(middle, 16) + end,
    'with entities only': entities(key, 10),
    'with a named entity': key.replace('/', '&sol;'),
    'with an escape': key.replaceAll(/[^a-z\d]/gi, '\\$&'),
    'with a part in bold': `${start}**${middle}**${end}`,
    'with a part in italics': `${start}*${middle}*${end}`,
    'with marks inside marks': `**${start}*${middle}*${end}**`,
    'with a part struck through': `${start}~~${middle}~~${end}`,
    'with a part in code': `${start}\`${middle}\`${end}`,
    'with parts in code only': `\`${start}\`**${middle}**\`${end}\``,
    'with a link inside': `${start}[${middle}](https://a.example/)${end}`,
    'in a link and behind it': `[${start}](https://a.example/)${middle}${end}`,
    'with an image inside': `${start}![${middle}](https://a.example/)${end}`,
    'with an autolink in a link': `[${start}**${middle}**${end}](https://a.example/)`,
    'with all of it': `&#${key.charCodeAt(0)};${start.slice(1)}**${middle}**[${end}](https://a.example/)`,
  }
}

function escaped(text: string): string {
  return Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

function inString(json: string): string {
  return JSON.stringify(json).slice(1, -1)
}
