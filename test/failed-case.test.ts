/** A failed case of a property is kept, and read again as it was. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FailedCase } from './helpers/failed-case.ts'
import { emptyFolder } from './helpers/run-syn.ts'

const name = { testPath: '/tests/any-key.fuzz.test.ts', currentTestName: 'any key > in text' }

test.each([
  [['text', 1, null]],
  [[undefined, -0, Number.NaN]],
  [[Uint8Array.of(0, 255), { '__proto__ ': ['\ud800', '\u0000'] }]],
])('%j', (failed) => {
  const folder = join(emptyFolder(), 'cases')
  expect(new FailedCase(folder, name).read()).toEqual([])
  new FailedCase(folder, name).write(failed)
  expect(new FailedCase(folder, name).read()).toEqual([failed])
  expect(new FailedCase(folder, { ...name, currentTestName: 'another' }).read()).toEqual([])
  const [file = ''] = readdirSync(folder)
  expect(file).toMatch(/^any-key\.fuzz-\w{8}\.json$/)
  expect(readFileSync(join(folder, file), 'utf8')).toContain('"test": "any key > in text"')
})
