/** `syn similar` over files as packages have them: each result stands at its line. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { question, startSearch } from '../../helpers/similar.ts'

const packages = new URL('../../../node_modules/', import.meta.url)

const names = [
  'commander/Readme.md',
  'commander/package.json',
  'highlight.js/styles/github.min.css',
  'ajv/dist/ajv.js.map',
  '@anthropic-ai/sdk/client.js.map',
]

test.each(['paragraph', 'file'])('--by %s', async (by) => {
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, packages), 'utf8')]))
  await using search = await startSearch(files)
  const { code, out } = await search.search(['--by', by, '--json', '-n', '100000'])
  expect(code).toBe(0)
  const results = JSON.parse(out) as { path: string; line: number; text: string }[]
  expect(new Set(results.map(({ path }) => path)).size).toBe(names.length)
  for (const { path, line, text } of results) {
    const lines = files[path.slice(search.folder.length + 1)]?.split(/\r?\n/) ?? []
    const [first = '', ...others] = text.split('\n')
    const [found, ...next] = lines.slice(line - 1, line + others.length)
    const last = others.pop() ?? ''
    // The first line may be cut in front, and the last one behind.
    expect(found, `${path}:${line}`).toContain(first)
    expect(next.slice(0, others.length)).toEqual(others)
    expect((next[others.length] ?? '').startsWith(last)).toBe(true)
  }
  expect((await search.search(['--by', by])).sent).toEqual([[question]])
})
