/** Tests that need a program from outside. `.ci/run` installs those that are missing. */

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Tests with a program. They are skipped if it is not installed, which is a failure in CI. */
export function describeWith(program: string, tests: () => void): void {
  const isMissing = !isInstalled(program)
  const note = isMissing ? ` (not installed: apt-get install ${program})` : ''
  describe.skipIf(isMissing)(`in ${program}${note}`, () => {
    tests()
  })
  test(`CI has ${program}, which .ci/run installs`, () => {
    expect(isMissing && process.env.CI).toBeFalsy()
  })
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
