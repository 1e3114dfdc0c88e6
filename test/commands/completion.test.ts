/** `syn completion`: scripts on standard output, and errors for missing and unknown shells. */

import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'

const shells = 'bash, zsh or fish'

test.each([
  ['bash', 'complete -o nosort -F _syn syn'],
  ['zsh', '#compdef syn\n'],
  ['fish', '\ncomplete -c syn -f -k '],
])('the script for %s', async (shell, piece) => {
  const { code, out, err } = await runSyn(['completion', shell])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(piece)
})

test.each([
  ['', `syn: no shell given; expected ${shells}\n`],
  ['zhs', `syn: unknown shell "zhs"; expected ${shells} (did you mean zsh?)\n`],
])('syn completion %s', async (line, err) => {
  const outcome = await runSyn(['completion', ...line.split(' ').filter(Boolean)])
  expect(outcome).toEqual({ code: 2, out: '', err })
})
