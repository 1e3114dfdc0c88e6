/** Which texts contain a key, and what is left of them. */

import { describe, expect, test } from 'vitest'
import { Secrets } from '../../src/io/secrets/secrets.ts'
import { leakIn, testKey } from '../helpers/canary.ts'
import { spellings } from '../helpers/key-spellings.ts'

const key = 'sk-te/st+0123456789abcdef'

function secretsOf(...keys: string[]): Secrets {
  const secrets = new Secrets()
  for (const one of keys) secrets.add(one)
  return secrets
}

const secrets = secretsOf(key, testKey)

test.each(Object.entries(spellings))('a key %s', (_spelling, written) => {
  const parsed = JSON.parse(`"${written}"`) as string
  for (const text of [written, parsed, JSON.stringify(parsed), JSON.stringify({ parsed: [written] })]) {
    const masked = secrets.mask(`a ${text} b ${text}`)
    expect(masked).toContain('[key]')
    expect(leakIn(masked)).toBeUndefined()
    expect(masked.startsWith('a ') && masked.includes(' b ')).toBe(true)
  }
})

test.each([
  ['sk-te/st+0123456789abcde', 'a part of the key'],
  [String.raw`s\nk-te/st+0123456789abcdef`, 'another escape'],
  [String.raw`s\u006b\u002e`, 'escapes of other characters'],
  [String.raw`\u0073k-te\u00`, 'an escape that is cut off'],
  ['\\'.repeat(100_000), 'backslashes'],
  [`s${'\\'.repeat(100_000)}`, 'the start of a key, and backslashes'],
  ['sk-te/'.repeat(20_000), 'starts of the key'],
])('%.40s is unchanged: %s', (text) => {
  expect(secrets.mask(text)).toBe(text)
})

test.each([
  ['"sk-te/st+0123…', '"[key]…'],
  ['"sk-te/st…" and "a sk-te\\/st+012…', '"[key]…" and "a [key]…'],
  [`${key}… ${key}`, '[key]… [key]'],
  ['"sk-te/s…', '"sk-te/s…'],
  ['sk-te/st+0123', 'sk-te/st+0123'],
  ['… sk-te/st+0123', '… sk-te/st+0123'],
])('of excerpts: %s', (text, masked) => {
  expect(secrets.maskExcerpts(text)).toBe(masked)
})

describe('a backslash before a key', () => {
  test('stays if the two are no escape', () => {
    expect(secrets.mask(String.raw`C:\sk-te/st+0123456789abcdef`)).toBe(String.raw`C:\[key]`)
  })

  test('is masked if they are, so that JSON stays valid', () => {
    const masked = secretsOf('nv-0123456789').mask(String.raw`{"a":"\nv-0123456789"}`)
    expect(JSON.parse(masked)).toEqual({ a: '[key]' })
  })
})

test('a key that Markdown escapes', () => {
  expect(secrets.mask(String.raw`it is sk\-te/st\+0123456789abcdef!`)).toBe('it is [key]!')
})

test.each([String.raw`k\y/"\z0123456789`, String.raw`\\k\\u0123456789\n`])('a key with backslashes: %s', (odd) => {
  const escape = (text: string): string =>
    Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const once = JSON.stringify(odd).slice(1, -1)
  for (const written of [
    odd,
    once,
    JSON.stringify(once).slice(1, -1),
    escape(odd),
    JSON.stringify(escape(odd)).slice(1, -1),
  ]) {
    const own = secretsOf(odd)
    expect(own.mask(`a ${written} b`)).toBe('a [key] b')
    for (let length = 1; length < written.length; length++) {
      expect(own.find(`a ${written.slice(0, length)}`)?.tail, written.slice(0, length)).toBe(2)
    }
  }
})

test('keys of which one begins like the other', () => {
  const both = secretsOf('sk-01234567', 'sk-0123456789')
  expect(both.mask('sk-01234567 sk-0123456789 sk-012345678')).toBe('[key] [key] [key]8')
})

test('fewer than 8 characters are not masked', () => {
  expect(secretsOf('sk-0123').mask('sk-0123')).toBe('sk-0123')
})

test('masks strings and names of JSON in place, and nothing else', () => {
  const json = JSON.parse(`{"__proto__":"${key}","${key}":[1,"a ${key}",{"b":null}],"c":"d"}`) as Record<string, never>
  expect(secrets.maskValues(json)).toBe(true)
  expect(JSON.stringify(json)).toBe('{"__proto__":"[key]","[key]":[1,"a [key]",{"b":null}],"c":"d"}')
  expect(secrets.maskValues({ a: ['b', 1] })).toBe(false)
})

test('drops the log probabilities of a choice that is masked: its tokens may hold the key in pieces', () => {
  const choices = [key, 'ok'].map((content) => ({ message: { content }, logprobs: { content: [{ token: 'x' }] } }))
  secrets.maskValues({ choices })
  expect(choices.map(({ logprobs }) => logprobs)).toEqual([null, { content: [{ token: 'x' }] }])
})

test('masks values that are nested deeper than the call stack', () => {
  const depth = 20_000
  const json = JSON.parse(`${'['.repeat(depth)}"${key}"${']'.repeat(depth)}`) as never[]
  expect(secrets.maskValues(json)).toBe(true)
})
