/** `syn search` on a real terminal: what a person sees at 40 columns. */

import { expect, test } from 'vitest'
import { json, startService } from '../../helpers/service.ts'
import { draw, type DrawOptions } from '../../helpers/draw.ts'
import type { Picture } from '../../helpers/picture.ts'

async function shown(argv: string[], results: unknown[], { env, ...options }: DrawOptions = {}): Promise<Picture> {
  await using service = await startService(json({ results }))
  const screen = await draw(['search', ...argv], { ...options, env: { ...service.env, ...env } })
  expect(screen.code).toBe(0)
  return screen
}

const results = [
  {
    url: 'https://example.com/tower',
    title: 'The tower, its history, and all that anybody ever wanted to know of it',
    text: 'The tower is 330 metres tall.\n\nTowers  are built of iron.',
    published: '2025-11-05T10:00:00.000Z',
  },
  { url: 'https://example.org/', title: null, published: 'last week' },
  { url: 'https://example.net/', title: 'Short', highlights: ['one tower', 'two'] },
]

test('in 40 columns', async () => {
  const screen = await shown(['tall', 'TOWER?'], results, { columns: 40 })
  expect(screen.lines()).toEqual([
    '1. The tower, its history, and all that',
    '   anybody ever wanted to know of it',
    '   https://example.com/tower',
    '   2025-11-05 · The tower is 330 metres',
    '   tall. Towers are built of iron.',
    '',
    '2. https://example.org/',
    '   last week',
    '',
    '3. Short',
    '   https://example.net/',
    '   one tower … two',
  ])
  expect(screen.cellOf('The tower, its').isBold()).toBeTruthy()
  expect(screen.cellOf('2025').isDim()).toBeTruthy()
  for (const word of ['is 330', 'https://example.com']) expect(screen.cellOf(word).isBold()).toBeFalsy()
})

test('a long snippet is cut after its first lines', async () => {
  const text = Array.from({ length: 99 }, (_, index) => `word${index}`).join(' ')
  const screen = await shown(['x'], [{ url: 'https://a/', title: 'T', text }], { columns: 40 })
  expect(screen.lines()).toHaveLength(7)
  expect(screen.lines().at(-1)).toMatch(/^ {3}word\d+ .*…$/)
})

test('numbers are aligned, and a URL is never broken', async () => {
  const url = `https://example.com/${'long/'.repeat(10)}`
  const many = Array.from({ length: 10 }, (_, index) => ({ url: index === 9 ? url : `https://a/${index}` }))
  const screen = await shown(['x'], many, { columns: 40, env: { NO_COLOR: '1' } })
  expect(screen.lines().slice(0, 3)).toEqual([' 1. https://a/0', '', ' 2. https://a/1'])
  expect(screen.written()).toContain(`10. ${url}\r\n`)
})
