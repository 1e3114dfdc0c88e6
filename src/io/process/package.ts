import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json and man/. Searched upwards: sources and bundles are at different depths. */
function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

let version: string | undefined

/** Read once: a run of many requests sends it with each. */
export function packageVersion(): string {
  version ??= (JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }).version
  return version
}
