/** The versions of Node that programs are measured on. */

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fetchNodes } from '../../.build/node-packages.ts'
import { canFetchNode } from '../helpers/node-versions.ts'
import { OptionError } from './options.ts'

/** Kept between runs; `npm ci` removes it. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/node-versions', import.meta.url))

export interface NodeVersion {
  readonly path: string
  readonly version: string
  readonly major: number
}

/** Installs the version if it is not the running one. @throws OptionError where it can't be installed. */
export function nodeVersion(major: number): NodeVersion {
  const running = process.versions.node
  if (running.startsWith(`${major}.`)) return { path: process.execPath, version: running, major }
  if (!canFetchNode)
    throw new OptionError(`--node ${major}: this is Node ${running}, and others are for Linux on x64 only`)
  const [path = ''] = fetchNodes([`node${major}`], cache)
  return { path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1), major }
}
