/** Runs npm, and packs the package. */

import { fileURLToPath } from 'node:url'
import { runProgram } from './script.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs npm in the checkout. @returns its standard output. @throws ScriptError */
export function npm(argv: readonly string[]): string {
  // On Windows, npm is a script of its shell.
  const options = { cwd: root, shell: process.platform === 'win32' }
  return runProgram('npm', ['--loglevel=error', '--update-notifier=false', ...argv], options)
}

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/** Packs the package, which has to be built. @param flags Such as `--pack-destination FOLDER`. */
export function pack(...flags: readonly string[]): Packed {
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', ...flags])) as Packed[]
  if (packed === undefined) throw new Error('npm packed nothing')
  return packed
}

/** The files of the package, by their paths in it. */
export function packageFiles(): string[] {
  return pack('--dry-run').files.map(({ path }) => path)
}
