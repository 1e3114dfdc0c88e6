/** A file of tools, and `syn tools` with it. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
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
export function call(
  tool: object,
  args: unknown = {},
  { argv = [], ...options }: RunOptions & { argv?: string[] } = {},
): Promise<Outcome> {
  const file = toolsFile({ tools: { t: { parameters: texts('a', 'b'), ...tool } } })
  return runSyn(['tools', 'run', ...argv, '--tools-file', file, 't', JSON.stringify(args)], {
    ...options,
    env: { PATH: process.env.PATH ?? '', ...options.env },
  })
}

/**
 * Waits until processes have ended: one that was killed takes a moment.
 * @param ids Default: those in the file.
 */
export async function untilGone(
  file: string,
  ids = readFileSync(file, 'utf8').trim().split(' ').map(Number),
): Promise<void> {
  while (ids.some(isAlive)) await setTimeout(5)
}

export async function untilThere(file: string): Promise<void> {
  while (!existsSync(file)) await setTimeout(5)
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    // One that nobody has waited for has ended, too.
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${id}/stat`, 'utf8'))
  } catch {
    return false
  }
}
