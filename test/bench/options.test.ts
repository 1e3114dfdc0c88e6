import { expect, test } from 'vitest'
import { main } from './main.ts'
import { readOptions } from './options.ts'

test.each([
  [['--what'], "unknown option '--what'"],
  [['--only', 'nothing'], '--only: no group named "nothing" (available: startup, '],
  [['--node', 'new'], '--node: not a positive whole number: "new"'],
  [['--json', '--markdown'], '--json and --markdown cannot be combined'],
  [['--syn', '/nonexistent'], '--syn: no such file: '],
])('%j is an error in one line, with status 2', async (argv, message) => {
  let [out, err] = ['', '']
  const streams = { out: (text: string) => (out += text), err: (text: string) => (err += text) }
  expect(await main(argv, streams)).toBe(2)
  expect(out).toBe('')
  expect(err).toMatch(/^bench: .+\n$/)
  expect(err).toContain(message)
})

test('the running Node, all groups and a table are the default', () => {
  const major = Number(process.versions.node.split('.', 1)[0])
  expect(readOptions([])).toMatchObject({ only: [], nodes: [major], gate: false, format: 'table' })
})
