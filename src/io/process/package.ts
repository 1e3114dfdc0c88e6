/** Files that come with the program. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getAsset, isSea } from 'node:sea'

/**
 * Reads one, such as `man/syn.1`: from the package, or from the single file, which has it as an asset.
 * @param path Its path in the package.
 */
export function packageFile(path: string): string {
  return isSea() ? getAsset(path, 'utf8') : readFileSync(join(packageFolder(), path), 'utf8')
}

/** The folder of package.json and man/, searched upwards to the root: sources and bundles are at different depths. */
function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}

let version: string | undefined

/** Read once: a run of many requests sends it with each. */
export function packageVersion(): string {
  version ??= (JSON.parse(packageFile('package.json')) as { version: string }).version
  return version
}

/** The names of its man pages, those of commands without `syn-`. */
export function manPageNames(): string[] {
  const { man } = JSON.parse(packageFile('package.json')) as { man: string[] }
  return man.map((path) => path.replaceAll(/^\.\/man\/(syn-)?|\.1$/g, ''))
}
