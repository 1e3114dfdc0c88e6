/** Gives the tests the same environment wherever they run, and a temporary folder of their own. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the tests keep of the caller's environment. CI makes a missing shell a failure. */
const kept = /^(PATH|CI|NODE_ENV|TEST|PROD|DEV|(VITE|VITEST|NODE_V8)_.*|VITEST)$/

/** Runs before the workers start, which inherit the environment. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'syn-tests-'))
  for (const name of Object.keys(process.env)) if (!kept.test(name)) delete process.env[name]
  Object.assign(process.env, { HOME: folder, TMPDIR: folder, TZ: 'UTC', LANG: 'C.UTF-8' })
  process.umask(0o022)
  return () => {
    // Some tests remove the permission to write to a folder.
    execFileSync('chmod', ['-R', 'u+rwX', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}
