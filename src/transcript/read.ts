/** From a conversation's file to its entries. What is damaged costs itself and nothing else. */

import type { Json } from '../fields/json.ts'
import { decodeEntry, type Entry } from './entry.ts'

export interface Reading {
  readonly entries: readonly Entry[]
  /** Numbers of lines, from 1. */
  readonly damaged: readonly number[]
  /** Lines of a type that is not known here. */
  readonly unknown: readonly number[]
}

export function readEntries(text: string): Reading {
  const entries: Entry[] = []
  const damaged: number[] = []
  const unknown: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const whole = parse(line)
    const entry = whole === undefined ? undefined : decodeEntry(whole)
    if (entry === 'unknown') unknown.push(index + 1)
    else if (entry) entries.push(entry)
    else {
      damaged.push(index + 1)
      const rescued = entryAtEnd(line)
      if (rescued) entries.push(rescued)
    }
  }
  return { entries, damaged, unknown }
}

/**
 * What a run wrote after a line that another run, or a full disk, had left without its end. Inside a text quotes are
 * escaped, so only an object can begin so; and one that is nested has more behind it than its own end.
 */
function entryAtEnd(line: string): Entry | undefined {
  for (const { index } of line.matchAll(/(?<=.)\{"type":"/g)) {
    const json = parse(line.slice(index))
    const entry = json === undefined ? undefined : decodeEntry(json)
    if (entry !== undefined && entry !== 'unknown') return entry
  }
  return undefined
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json
  } catch {
    return undefined
  }
}
