/** Gives the tests the same environment wherever they run, and a temporary folder of their own. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The variables that are kept from the caller's environment. With CI a missing shell is a failure. */
const kept = /^(PATH|CI|NODE_ENV|TEST|PROD|DEV|(VITE|VITEST|NODE_V8)_.*|VITEST)$/

/** Runs before the workers start, which inherit the environment. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'syn-tests-'))
  for (const name of Object.keys(process.env)) if (!kept.test(name)) delete process.env[name]
  Object.assign(process.env, { HOME: folder, TMPDIR: folder, TZ: 'UTC', LANG: 'C.UTF-8' })
  process.umask(0o022)
  return () => {
    // Some tests remove the write permission of a folder.
    execFileSync('chmod', ['-R', 'u+rwX', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}
