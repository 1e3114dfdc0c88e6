/** From a conversation's file to its entries. What is damaged costs itself and nothing else. */

import type { Json } from '../io/json.ts'
import { decodeEntry, type Entry } from './entry.ts'
import { answerOfPart } from './part-line.ts'

export interface Reading {
  readonly entries: readonly Entry[]
  /** Numbers of lines, from 1. */
  readonly damaged: readonly number[]
  /** Lines of a type that is not known here. */
  readonly unknown: readonly number[]
}

/** The parts of an answer that has an end are left out, which repeats them: that is most of the work. */
export function readEntries(text: string): Reading {
  const read: (Entry | Passed)[] = []
  const damaged: number[] = []
  const unknown: number[] = []
  const begun = new Set<string>()
  const ended = new Set<string>()
  const note = (entry: Entry): void => {
    read.push(entry)
    if (entry.type === 'answer') begun.add(entry.id)
    if (entry.type === 'end') ended.add(entry.answer)
  }
  for (const [index, line] of text.split('\n').entries()) {
    const answer = answerOfPart(line)
    if (answer !== undefined && begun.has(answer)) {
      read.push({ type: 'passed', answer, line })
      continue
    }
    if (line.trim() === '') continue
    const whole = parse(line)
    const entry = whole === undefined ? undefined : decodeEntry(whole)
    if (entry === 'unknown') unknown.push(index + 1)
    else if (entry) note(entry)
    else {
      damaged.push(index + 1)
      const rescued = entryAtEnd(line)
      if (rescued) note(rescued)
    }
  }
  return { entries: read.flatMap((one) => (one.type === 'passed' ? missed(one, ended) : [one])), damaged, unknown }
}

/** A part that was not looked into: it may be repeated. */
interface Passed {
  readonly type: 'passed'
  readonly answer: string
  readonly line: string
}

function missed({ answer, line }: Passed, ended: ReadonlySet<string>): Entry[] {
  if (ended.has(answer)) return []
  const entry = decodeEntry(parse(line) ?? null)
  return entry === undefined || entry === 'unknown' ? [] : [entry]
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
