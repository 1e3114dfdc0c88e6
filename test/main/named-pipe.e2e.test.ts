/** A named pipe in the place of a file: read to its end, and never the reason that a run can't be ended. */

import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, startSyn } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

const path = join(emptyFolder(), 'pipe')
execFileSync('mkfifo', [path])

/** Resolves with the writing end once somebody reads the pipe: before that it can't be opened. */
async function writingEnd(): Promise<number> {
  let file = -1
  await expect.poll(() => (file = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))).toBeGreaterThan(0)
  return file
}

test('is read to its end', async () => {
  const { ended } = startSyn(['chat', '--dry-run', '-f', path, 'hi'], environment())
  const file = await writingEnd()
  writeSync(file, 'some text')
  closeSync(file)
  expect((await ended).out).toContain('some text')
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a run that waits for its writer', async (signal, code) => {
  const { child, ended } = startSyn(['chat', '--dry-run', '-f', path, 'hi'], environment())
  const file = await writingEnd()
  child.kill(signal)
  expect(await ended).toMatchObject({ code, out: '' })
  closeSync(file)
})
