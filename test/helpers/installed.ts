/** What tests need besides Node, npm, git, a POSIX shell and the basic programs of Unix (coreutils): they are skipped without. */

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, TestRunner, type TestContext } from 'vitest'

const isBare = Boolean(process.env.SYN_TEST_BARE)

/**
 * Skips a test that needs a program, or something else: in a test, or as `beforeEach(needs('bash'))`. In CI, where
 * `.ci/run` installs the programs, the test fails, except in the run without them.
 */
export function needs(what: string, isThere = isInstalled(what)): (context: Pick<TestContext, 'skip'>) => void {
  return ({ skip }) => {
    if (!isThere) expectNoCi(what)
    skip(!isThere, what)
  }
}

/** Skips the test that is running, unless a command can be run. Tests that run at the same time call `needs`. */
export function needsCommand(command: string): void {
  if (command.includes('/') || isInstalled(command)) return
  const context = TestRunner.getCurrentTest()?.context
  if (context !== undefined) needs(command, false)(context)
}

/** Tests with a program, which is not started before them either. */
export function describeWith(program: string, tests: () => void): void {
  const isMissing = !isInstalled(program)
  describe.skipIf(isMissing && (!process.env.CI || isBare))(`in ${program}`, () => {
    beforeAll(() => {
      if (isMissing) expectNoCi(program)
    })
    tests()
  })
}

function expectNoCi(missing: string): void {
  if (process.env.CI && !isBare) throw new Error(`not installed: ${missing}, which .ci/run installs`)
}

function isInstalled(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
