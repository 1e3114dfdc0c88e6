/** A pipe that nothing arrives on is waited for, with a warning, also with -q: the program as a process. */

import { beforeEach, expect, test } from 'vitest'
import { needs } from '../helpers/installed.ts'
import { environment, start, synCommand } from '../helpers/program.ts'

beforeEach(needs('bash'))

test('what arrives after the warning is part of the prompt', async () => {
  // Node gives a child a socket, `cat` gives it a pipe.
  const line = `cat | ${synCommand} chat --sandbox -q --dry-run hi`
  const { child, ended } = start('bash', ['-c', line], environment(), ['pipe', 'pipe', 'pipe'])
  child.stderr?.once('data', () => child.stdin?.end('late words'))
  const { code, out, err } = await ended
  expect({ code, err }).toEqual({
    code: 0,
    err: 'syn: waiting for standard input; if it is not meant as input, use --no-stdin or < /dev/null\n',
  })
  expect(out).toContain('hi\\n\\nlate words')
})
