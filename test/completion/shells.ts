/** The shells in which completion is tested. `.ci/run` installs missing ones. */

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'

export const shellNames = ['bash', 'zsh', 'fish'] as const
export type ShellName = (typeof shellNames)[number]

/** Tests in a shell. They are skipped if it is not installed, which is a failure in CI. */
export function describeShell(name: ShellName, tests: () => void): void {
  const isMissing = !isInstalled(name)
  const note = isMissing ? ` (not installed: apt-get install ${name})` : ''
  describe.skipIf(isMissing)(`in ${name}${note}`, () => {
    tests()
  })
  test(`CI has ${name}, which .ci/run installs`, () => {
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
