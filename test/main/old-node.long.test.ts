/** Runs on versions of Node that are too old to load the program. */

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { environment, node, program } from '../helpers/program.ts'

test('a Node that is too old gets one line that says which is needed', () => {
  const { status, stdout, stderr } = spawnSync(node, [program, 'chat', 'hi'], { encoding: 'utf8', env: environment() })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^syn: needs Node [\d.]+ or newer, this is (10|18)[\d.]+\n$/)
})
