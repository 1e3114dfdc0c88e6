/** Recorded replies from test/fixtures/, unchanged. */

import { readdirSync, readFileSync } from 'node:fs'

/** The folders of recorded replies, one per API family. */
export type Family = 'chat' | 'completions' | 'messages'

function folder(family: Family): URL {
  return new URL(`../fixtures/${family}/`, import.meta.url)
}

/** @param name With its extension, unless that is `.sse`. */
export function fixture(name: string, family: Family = 'chat'): Buffer {
  return readFileSync(new URL(name.includes('.') ? name : `${name}.sse`, folder(family)))
}

/** The names of all recorded streams, without extension. */
export function streamNames(family: Family = 'chat'): string[] {
  return readdirSync(folder(family))
    .filter((name) => name.endsWith('.sse'))
    .map((name) => name.slice(0, -'.sse'.length))
    .sort()
}
