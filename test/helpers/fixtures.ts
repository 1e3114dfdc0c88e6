/** Recorded replies from test/fixtures/, unchanged. */

import { readdirSync, readFileSync } from 'node:fs'
import type { JsonObject } from '../../src/io/json/json.ts'

/** The folders of recorded replies, one per API dialect. */
export type Family = 'chat' | 'completions' | 'messages'

function folder(dialect: Family | 'no-answer'): URL {
  return new URL(`../fixtures/${dialect}/`, import.meta.url)
}

/**
 * @param name With its extension, unless that is `.sse`.
 * @param dialect `no-answer`: replies of the chat dialect that no program can use as they are.
 */
export function fixture(name: string, dialect: Family | 'no-answer' = 'chat'): Buffer {
  return readFileSync(new URL(name.includes('.') ? name : `${name}.sse`, folder(dialect)))
}

/** The names of all recorded streams, without extension. */
export function streamNames(dialect: Family | 'no-answer' = 'chat'): string[] {
  return readdirSync(folder(dialect))
    .filter((name) => name.endsWith('.sse'))
    .map((name) => name.slice(0, -'.sse'.length))
    .sort()
}

/** The model list and the quota record of an account, in the shapes that the service sends; the list of a month later too. */
export function liveReply(name: 'models' | 'quota' | 'autumn-models'): JsonObject {
  const file = name === 'autumn-models' ? name : `live-${name}`
  return JSON.parse(readFileSync(new URL(`../fixtures/${file}.json`, import.meta.url), 'utf8')) as JsonObject
}
