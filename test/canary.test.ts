/** The search for the API key in what the tests print and write finds it in each form. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leakIn, searchEverything, testKey } from './helpers/canary.ts'
import { emptyFolder } from './helpers/run-syn.ts'

const escaped = [...testKey].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')
const [start, middle, end] = [testKey.slice(0, 12), testKey.slice(10, 22), testKey.slice(-12)]

test.each<[title: string, text: string, found: string | undefined]>([
  ['the key', testKey, start],
  ['its start', start, start],
  ['twelve characters of it', middle, middle],
  ['its end', end, end],
  ['JSON escapes', escaped, start],
  ['an escaped slash', testKey.replace('/', String.raw`\/`), start],
  ['JSON in a JSON string', JSON.stringify(escaped), start],
  ['eleven characters of it', testKey.slice(10, 21), undefined],
  ['other text', 'an answer', undefined],
])('%s', (_title, text, found) => {
  expect(leakIn(text)).toBe(found)
  expect(leakIn(`before ${text} after`)).toBe(found)
})

test('files are read to their end, but those where a user puts the key', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'below'))
  const path = join(folder, 'below', 'file')
  writeFileSync(path, Buffer.concat([Buffer.alloc(9 * 1024 * 1024, 'x'), Buffer.from(testKey)]))
  writeFileSync(join(folder, 'config.json'), testKey)
  expect(await searchEverything(folder)).toEqual([path])
  rmSync(path)
})
