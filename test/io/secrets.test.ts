/** Which texts contain a key, and what is left of them. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secrets } from '../../src/io/secrets.ts'
import { samples } from '../helpers/samples.ts'

const key = 'sk-te/st+0123456789abcdef'

function secretsOf(...keys: string[]): Secrets {
  const secrets = new Secrets()
  for (const one of keys) secrets.add(one)
  return secrets
}

const secrets = secretsOf(key)

test.each([
  ['as it is', key],
  ['with an escaped slash, in JSON in a string', key.replace('/', String.raw`\\/`)],
  ['that Markdown escapes', key.replaceAll(/\W/g, '\\$&')],
  // .NET writes these characters so in JSON.
  ['with codes', key.replaceAll('+', String.raw`\u002B`).replaceAll('/', String.raw`\u002f`)],
  ['of codes, in JSON in a string', Array.from(key, (one) => `\\\\u00${one.charCodeAt(0).toString(16)}`).join('')],
  ['of which only the start is left', key.slice(0, 12)],
])('a key %s', (_spelling, written) => {
  expect(secrets.mask(`a ${written} b "${written}"`)).toBe('a [key] b "[key]"')
})

test.each([
  [key.slice(0, 11), 'less than the start'],
  [`${key.slice(0, 14)}-other.md`, 'another word with the start'],
  [`s${'\\'.repeat(100_000)}`, 'the start of a key, and backslashes'],
])('%.40s is unchanged: %s', (text) => {
  expect(secrets.mask(text)).toBe(text)
})

test.each([String.raw`k\y/"\z0123456789`, String.raw`\\k\\u0123456789\n`])('a key with backslashes: %s', (odd) => {
  const json = JSON.stringify(odd).slice(1, -1)
  for (const written of [odd, json, JSON.stringify(json).slice(1, -1)]) {
    expect(secretsOf(odd).mask(`a ${written} b`).replace('\\', '')).toBe('a [key] b')
  }
})

test('keys that begin alike are masked to their own end, whichever was stored first', () => {
  const keys = ['sk-vendor-api-0123456789', 'sk-vendor-api-01xyz', 'sk-vendor-api-abcdef']
  for (const order of [keys, keys.toReversed()]) {
    expect(secretsOf(...order).mask(keys.join(' '))).toBe('[key] [key] [key]')
  }
})

test('fewer than 8 characters are not masked', () => {
  expect(secretsOf('sk-0123').mask('sk-0123')).toBe('sk-0123')
  expect(secretsOf('sk-01234').mask('sk-0123 sk-01234')).toBe('sk-0123 [key]')
})

test('no key is left in any text, and what is around it stays', () => {
  const piece = fc.oneof(fc.constantFrom(key, key.slice(0, 11), 's', '\\', '"', '/'), fc.string())
  const property = fc.property(fc.array(piece), (pieces) => {
    const text = pieces.join('')
    const masked = secrets.mask(text)
    expect(masked).not.toContain(key)
    if (!text.includes('sk-te')) expect(masked).toBe(text)
  })
  fc.assert(property, samples(100))
})
