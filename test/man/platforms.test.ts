/** The lists of what differs on Windows and macOS: what they name is what the program does. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { platformRows, withoutRow } from '../../man/platforms.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = (path: string): string => readFileSync(join(root, path), 'utf8')
const claims = platformRows.flatMap(({ subject, code }) =>
  Object.entries(code).map(([path, pattern]) => [subject, path, pattern] as const),
)

test.each(claims)('%s: %s has %s', (_subject, path, pattern) => {
  expect(source(path)).toMatch(pattern)
})

test.each(platformRows)('$subject: has a text, and code that does it', ({ mac, windows, code }) => {
  expect(mac ?? windows).toMatch(/\.$/)
  expect(Object.keys(code)).not.toEqual([])
})

test('each file that names a platform belongs to a row, or has a reason not to', () => {
  const files = ['src', 'bin'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  const naming = files.filter(
    (path) => /\.(ts|cjs)$/.test(path) && /\b(win32|darwin|Windows|macOS)\b|process\.platform/.test(source(path)),
  )
  const named = new Set(claims.map(([, path]) => path))
  expect(naming.filter((path) => !named.has(path)).toSorted()).toEqual(Object.keys(withoutRow).toSorted())
})
