/** The search for the API key in what the tests print and write finds it in each form. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leakIn, searchEverything, testKey } from './helpers/canary.ts'
import { emptyFolder } from './helpers/run-syn.ts'

const escaped = [...testKey].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')

test.each<[title: string, text: string, isLeak: boolean]>([
  ['the key', testKey, true],
  ['its start', testKey.slice(0, 11), true],
  ['eleven characters of it', testKey.slice(10, 21), true],
  ['its end', testKey.slice(-11), true],
  ['JSON escapes', escaped, true],
  ['an escaped slash', testKey.replace('/', String.raw`\/`), true],
  ['JSON in a JSON string', JSON.stringify(escaped), true],
  ['five characters of it', testKey.slice(6, 11), false],
  ['other text', 'an answer', false],
])('%s', (_title, text, isLeak) => {
  expect(leakIn(`before ${text} after`) !== undefined).toBe(isLeak)
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
