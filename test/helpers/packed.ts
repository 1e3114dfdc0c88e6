/** The package, as npm packs it from the checkout. Needs the build. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { environment } from './program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Packed {
  filename: string
  files: { path: string }[]
}

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

/** @param home Where the file is put. */
export async function pack(home: string): Promise<Packed> {
  const flags = ['--json', '--ignore-scripts', '--offline', '--pack-destination', home]
  const { stdout } = await runIn('npm', ['pack', ...flags], home)
  const [packed] = JSON.parse(stdout) as Packed[]
  if (packed === undefined) throw new Error('npm packed nothing')
  return packed
}
