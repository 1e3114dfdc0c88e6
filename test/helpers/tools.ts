/** A file of tools, and `syn tools` with it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder, type Outcome, type RunOptions, runSyn } from './run-syn.ts'

/** @returns the path of a file with this content. */
export function toolsFile(document: unknown): string {
  const path = join(emptyFolder(), 'tools.json')
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document))
  return path
}

/** Parameters that are texts, all optional. */
export function texts(...names: string[]): object {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) }
}

/** Calls the tool `t`. */
export function call(tool: object, args: unknown = {}, options: RunOptions = {}): Promise<Outcome> {
  const file = toolsFile({ tools: { t: { parameters: texts('a', 'b'), ...tool } } })
  return runSyn(['tools', 'run', '--tools-file', file, 't', JSON.stringify(args)], {
    ...options,
    env: { PATH: process.env.PATH ?? '', ...options.env },
  })
}
