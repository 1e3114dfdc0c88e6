/** Recorded replies from test/fixtures/, unchanged. */

import { readdirSync, readFileSync } from 'node:fs'
import type { JsonObject } from '../../src/io/json/json.ts'

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

/** The model list and the quota record of an account, in the shapes that the service sends. */
export function liveReply(name: 'models' | 'quota'): JsonObject {
  return JSON.parse(readFileSync(new URL(`../fixtures/live-${name}.json`, import.meta.url), 'utf8')) as JsonObject
}
