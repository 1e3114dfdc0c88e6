/** The single file, and the Node that is in it. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchNodes, nodeFile } from '../node-packages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const singleFile = join(root, 'release', process.platform === 'win32' ? 'syn.exe' : 'syn')

/** Downloads the newest major version with long-term support, if it is not here yet. @returns its executable. */
export function registryNode(): string {
  const [folder = ''] = fetchNodes(['node24'], join(root, 'node_modules/.cache/node-versions'))
  return join(folder, nodeFile)
}
