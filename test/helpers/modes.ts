/** File modes, which only Unix has. */

import { statSync } from 'node:fs'
import { expect, type TestContext } from 'vitest'

export const isUnix = process.platform !== 'win32'

/** Whether file permissions apply to this user: on Unix, except for root. */
const isHeldBack = isUnix && process.getuid?.() !== 0

/** Skips a test of file permissions, unless they apply to this user. */
export function needsPermissions({ skip }: Pick<TestContext, 'skip'>): void {
  skip(!isHeldBack, isUnix ? 'a user other than root' : 'Unix')
}

/** Skips a test that gives files to other users, which only root can. */
export function needsRoot({ skip }: Pick<TestContext, 'skip'>): void {
  skip(process.getuid?.() !== 0, isUnix ? 'root' : 'Unix')
}

/** On other systems files have no mode. @param mode In octal digits, such as `600`. */
export function expectMode(path: string, mode: string): void {
  if (isUnix) expect((statSync(path).mode & 0o777).toString(8), path).toBe(mode)
}
