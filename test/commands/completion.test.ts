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

test.each<[line: string, shell: string | undefined, err: string]>([
  ['', undefined, `syn: no shell given; expected ${shells}\n`],
  ['', '/bin/tcsh', `syn: no shell given; expected ${shells}\n`],
  [
    '',
    '/usr/local/bin/fish',
    `syn: no shell given; expected ${shells}\nhint: your shell seems to be fish: use syn completion fish\n`,
  ],
  ['zhs', '/bin/zsh', `syn: unknown shell "zhs"; expected ${shells} (did you mean zsh?)\n`],
])('syn completion %s, where SHELL is %s', async (line, shell, err) => {
  const outcome = await runSyn(['completion', ...line.split(' ').filter(Boolean)], {
    env: shell ? { SHELL: shell } : {},
  })
  expect(outcome).toEqual({ code: 2, out: '', err })
})
