/** The single file, and the Node that is in it. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchNodes } from '../node-packages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const singleFile = join(root, 'release', process.platform === 'win32' ? 'syn.exe' : 'syn')

/**
 * Downloads Node 24, the newest major version with long-term support that runs in Debian's base: 26 needs libatomic. One that is
 * in node_modules/.cache is kept; `npm ci` removes it. The workflow of releases names the version, too. @returns its executable.
 */
export function registryNode(): string {
  const [file = ''] = fetchNodes(['node24'], join(root, 'node_modules/.cache/node-versions'))
  return file
}
