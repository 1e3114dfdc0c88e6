/** A cell of the table: one operation under one fault. Runs it, and compares what happened with what should have. */

import { vi } from 'vitest'
import { exitCodes } from '../../src/errors.ts'
import { leapingNow } from '../helpers/clock.ts'
import { absentFolder, emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { testKey } from '../helpers/service.ts'
import { contentType, goodReplies, groups, operations, type Operation } from './operations.ts'
import { startServer } from './server.ts'
import { outcomeFor, type Axis, type Case, type Expected, type Fault, type Kept } from './cases.ts'
import { wire, type Step } from './wire.ts'

export interface Observed {
  readonly exit: number
  readonly out: string
  readonly err: string
  /** To the operation's path. */
  readonly requests: number
  /** The paths of other requests. */
  readonly besides: readonly string[]
}

// One for all runs: every run in it finds no configuration, no cache and no conversation.
const home = emptyFolder()

/** Who runs the program. */
export interface User {
  /** Stops the run. */
  readonly signal?: AbortSignal
  /** Whether standard output and standard error are terminals (default: pipes). */
  readonly hasTerminal?: boolean
  /** How many turns of the event loop each write waits for its reader (default: 0). */
  readonly delay?: number
}

/** @param argv Appended to the operation's and the fault's. */
export async function observe(
  operation: Operation,
  fault: Fault,
  argv: readonly string[] = [],
  { signal = new AbortController().signal, hasTerminal = false, delay = 0 }: User = {},
): Promise<Observed> {
  let hasPrinted = (): void => undefined
  const output = new Promise<void>((resolve) => (hasPrinted = resolve))
  const base = { origin: '' }
  let own = 0
  const answer = (path: string): readonly Step[] => {
    const good = goodReplies.get(path)
    if (path !== operation.path && good !== undefined) return wire({ headers: jsonType, body: [good] })
    return stepsOf(operation, fault, own++, base.origin)
  }
  await using server = await startServer({
    answer,
    output,
    isSecure: fault.isSecure ?? false,
    greeting: fault.greeting ?? [],
  })
  base.origin = `${fault.isSecure ? 'https' : 'http'}://127.0.0.1:${server.port}`
  const baseUrl = fault.baseUrl?.(base.origin) ?? base.origin
  const { code, out, err } = await runSyn([...operation.argv, ...(fault.argv ?? []), ...argv], {
    ...(fault.silence === undefined && { now: leapingNow() }),
    env: { HOME: home, XDG_CACHE_HOME: absentFolder(), SYN_BASE_URL: baseUrl, SYN_API_KEY: testKey },
    signal,
    isTerminal: hasTerminal,
    onWrite: () => {
      hasPrinted()
      return turns(delay)
    },
    onNotice: () => turns(delay),
  })
  const others = server.paths.filter((path) => path !== operation.path && goodReplies.has(path))
  return { exit: code, out, err, requests: server.paths.length - others.length, besides: others }
}

/** Lets the event loop turn this often: a virtual clock has no real time to wait for. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const jsonType = { 'content-type': 'application/json' }

function stepsOf(operation: Operation, fault: Fault, number: number, origin: string): readonly Step[] {
  const answer = fault.answer?.(operation, number, origin) ?? []
  if (!('body' in answer)) return answer
  return wire({ ...answer, headers: { 'content-type': contentType(operation), ...answer.headers } })
}

/**
 * Runs a case with the operations that it applies to.
 * @param retries How often the command line lets it be tried again.
 * @returns what differs from the table, by operation; empty if all is well.
 */
export async function tryCase(one: Case, retries: 0 | 1, candidates: readonly Operation[]): Promise<string[]> {
  const { silence } = one.fault
  if (silence !== undefined) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const tried = candidates.map(async (operation) => {
    const expected = outcomeFor(one, operation)
    if (expected === undefined) return []
    const seen = await observe(operation, one.fault, ['--retries', String(retries)])
    return problemsOf(operation, expected, seen, retries)
  })
  const all = Promise.all(tried)
  if (silence !== undefined) {
    // By then, all that the service sends before it falls silent has arrived.
    await turns(500)
    vi.advanceTimersByTime(silence)
    vi.useRealTimers()
  }
  return (await all).flat()
}

/**
 * The operations that `npm test` tries a case with: all on whose code the outcome depends, or that have an outcome of their
 * own; of the others one, or one of each group, which is another one for the next case.
 * @param at Of the case in its axis.
 */
export function samplesOf({ dependsOn }: Axis, one: Case, at: number): readonly Operation[] {
  const tried = operations.filter((operation) => outcomeFor(one, operation) !== undefined)
  if (dependsOn === 'operation') return tried
  const parts = dependsOn === 'group' ? groups.map((group) => tried.filter((one) => one.group === group)) : [tried]
  return parts.flatMap((members) => {
    const others = members.filter(({ name }) => !Object.hasOwn(one.outcomes, name))
    return members.filter((operation) => !others.includes(operation) || operation === others[at % others.length])
  })
}

/** The hint of a 502 or 503 of an answer, which `batch/beside-chats.e2e.test.ts` tries. */
const batchHint = 'it may use all requests that the service takes at a time'

/** @returns what differs from the expectation, or should never happen; empty if all is well. */
export function problemsOf(operation: Operation, expected: Expected, seen: Observed, retries: number): string[] {
  const { exit, words, hint, besides = [], kept = exit === 0 ? 'the answer' : 'nothing' } = expected
  const requests = (expected.requests ?? 1) * (expected.isRetried && retries > 0 ? 1 + retries : 1)
  const lines = seen.err.split('\n').slice(0, -1)
  const hints = lines.filter((line) => line.startsWith('hint: '))
  const messages = lines.filter((line) => line.startsWith('syn: '))
  const keptOutput: Record<Kept, string> = {
    nothing: '',
    'the text received': operation.partialOutput,
    'the answer': operation.output,
  }
  const problems = [
    seen.exit === exit ? '' : `exit ${seen.exit}, not ${exit}`,
    seen.requests === requests ? '' : `${seen.requests} requests, not ${requests}`,
    seen.besides.join() === besides.join() ? '' : `asked also ${seen.besides.join()}, not ${besides.join()}`,
    seen.out === keptOutput[kept] ? '' : `printed ${JSON.stringify(seen.out.slice(0, 200))}, not ${kept}`,
    words === undefined && seen.err !== '' ? `said something` : '',
    words !== undefined && !messages.at(-1)?.includes(words) ? `lacks the words: ${words}` : '',
    hint === undefined && hints.some((line) => !line.endsWith(batchHint)) ? 'has a hint' : '',
    hint !== undefined && !hints[0]?.includes(hint) ? `lacks the hint: ${hint}` : '',
    ...breachesOf(seen),
  ].filter(Boolean)
  return problems.length === 0 ? [] : [`${operation.name}: ${problems.join('; ')}: ${seen.err.slice(0, 600)}`]
}

const documented = new Set<number>([...Object.values(exitCodes), 129, 130, 143])

/** What must never happen, whatever the fault. */
export function breachesOf({ exit, out, err }: Pick<Observed, 'exit' | 'out' | 'err'>): string[] {
  const lines = err.split('\n')
  return [
    /internal error/i.test(err) ? 'an internal error' : '',
    /^\s+at \S+.*:\d+/m.test(err) ? 'a stack trace' : '',
    (out + err).includes(testKey) ? 'the key' : '',
    documented.has(exit) ? '' : `exit ${exit} is not documented`,
    lines.at(-1) === '' ? '' : 'the last line has no end',
    lines.slice(0, -1).every((line) => /^(syn|hint): \S/.test(line)) ? '' : 'a line that is no message',
    lines.length <= maximumLines ? '' : `${lines.length} lines`,
  ]
}

/** The longest report of a failure on standard error. */
const maximumLines = 6
