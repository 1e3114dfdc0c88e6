import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readme } from './readme.ts'

test('README.md is current: npm run faults', () => {
  expect(readFileSync(new URL('README.md', import.meta.url), 'utf8')).toBe(readme())
})
