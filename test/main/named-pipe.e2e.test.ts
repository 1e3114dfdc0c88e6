/** A named pipe as a file: it is read to its end, and a run that waits for it can be interrupted. */

import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, startSyn } from '../helpers/program.ts'
import { InterruptedError } from '../../src/errors.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'

const path = join(emptyFolder(), 'pipe')
execFileSync('mkfifo', [path])

/** Resolves with the writing end, which can be opened only once the program reads the pipe. */
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

test('SIGINT ends a run that waits for its writer', async () => {
  const { child, ended } = startSyn(['chat', '--dry-run', '-f', path, 'hi'], environment())
  const file = await writingEnd()
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 130, out: '' })
  closeSync(file)
})

test('is not waited for by a run that was stopped before', async () => {
  const signal = AbortSignal.abort(new InterruptedError(15))
  expect(await runSyn(['chat', '--dry-run', '-f', path, 'hi'], { signal })).toMatchObject({ code: 143, out: '' })
})
