/** Runs npm, and what it installs. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { environment } from './program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a program with an empty home directory, so that npm has no configuration. */
export function runIn(
  file: string,
  argv: string[],
  home: string,
  cwd = root,
): Promise<{ stdout: string; stderr: string }> {
  const env = { ...environment(), HOME: home, npm_config_update_notifier: 'false' }
  return promisify(execFile)(file, argv, { cwd, env })
}
