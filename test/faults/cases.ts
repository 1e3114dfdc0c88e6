/** What the rows of the table are. */

import type { Group, Operation } from './operations.ts'
import type { Response, Step } from './wire.ts'

/** What comes of a fault. */
export interface Expected {
  readonly exit: number
  /** Part of the error, or of the only notice; absent: standard error is empty. */
  readonly words?: string
  /** Part of the hint; absent: there is none. */
  readonly hint?: string
  /** Requests of each attempt to the operation's path (default: 1). */
  readonly requests?: number
  /** Whether a retry follows. */
  readonly isRetried?: boolean
  /** Other requests, by path. */
  readonly besides?: readonly string[]
  /** What is on standard output (default: the answer if the run succeeds, else nothing). */
  readonly kept?: Kept
}

export type Kept = 'nothing' | 'the text received' | 'the answer'

/** What the service does. */
export interface Fault {
  /** @param number How many requests came before. */
  readonly answer?: (operation: Operation, number: number, origin: string) => Response | readonly Step[]
  /** Appended to the command line. */
  readonly argv?: readonly string[]
  /** (default: that of a server on loopback) */
  readonly baseUrl?: (origin: string) => string
  readonly isSecure?: boolean
  /** What the server sends as soon as it is connected. */
  readonly greeting?: readonly Step[]
  /** After how many milliseconds of it the run gives up; they pass in virtual time. */
  readonly silence?: number
}

/** Whose outcome it is: an operation's name, a group, `answers` for the first two groups, or `all` that have no other. */
export type Outcomes = Readonly<Partial<Record<Group | 'answers' | 'all' | (string & {}), Expected>>>

/** A value of an axis, with the outcome for each operation that it applies to. */
export interface Case {
  readonly name: string
  readonly fault: Fault
  readonly outcomes: Outcomes
}

export interface Axis {
  readonly title: string
  /** Whose code decides what comes of a case: each operation's, that of a group, or the same for all. */
  readonly dependsOn: 'operation' | 'group' | 'nothing'
  readonly cases: readonly Case[]
}

export function outcomeFor({ outcomes }: Case, operation: Operation): Expected | undefined {
  return outcomes[keyFor(outcomes, operation) ?? '']
}

/** The key of the outcomes that an operation has. */
export function keyFor(outcomes: Outcomes, { name, group }: Operation): string | undefined {
  const keys = [name, group, ...(group === 'replies' ? [] : ['answers']), 'all']
  return keys.find((key) => outcomes[key] !== undefined)
}
