/** What the files of the build contain. */

import { existsSync, readFileSync } from 'node:fs'

/**
 * @param path Of a file of the build; its source map is beside it, unless it only loads others.
 * @returns the sources in it: `src/run.ts`, `node_modules/commander/lib/help.js`.
 */
export function sourcesOf(path: string): string[] {
  if (!existsSync(`${path}.map`)) return []
  const { sources } = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: string[] }
  return sources.map((source) => source.replace(/^(\.\.\/)+/, ''))
}

/** The names of the packages that sources are from. */
export function packagesOf(sources: readonly string[]): string[] {
  const names = sources.map((source) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}
