/** Replies as they were recorded, byte by byte, in test/fixtures/. */

import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../fixtures/chat/', import.meta.url)

/** @param name With its ending, unless that is `.sse`. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(name.includes('.') ? name : `${name}.sse`, folder))
}

/** The names of all recorded streams, without their ending. */
export function streamNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sse'))
    .map((name) => name.slice(0, -'.sse'.length))
    .sort()
}
