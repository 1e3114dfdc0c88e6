import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test.each([
  [['--what'], "unknown option '--what'"],
  [['startup'], 'unexpected argument: startup'],
  [['--only', 'nothing'], '--only: no group named "nothing" (available: startup, '],
  [['--node', 'new'], '--node: not a positive whole number: "new"'],
  [['--node', '20,'], '--node: not a positive whole number: ""'],
  [['--rounds', '0'], '--rounds: not a positive whole number: "0"'],
  [['--json', '--markdown'], '--json and --markdown cannot be combined'],
  [['--syn', '/nonexistent'], '--syn: no such file: '],
])('%j is an error', (argv, message) => {
  expect(() => readOptions(argv)).toThrow(message)
})

test('the running Node, all groups and a table are the default', () => {
  const major = Number(process.versions.node.split('.', 1)[0])
  expect(readOptions([])).toMatchObject({ only: [], nodes: [major], gate: false, format: 'table' })
})
