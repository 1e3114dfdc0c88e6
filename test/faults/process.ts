/** Cases that need the program as a process, each a line for bash. */

import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { environment, program, start } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { testKey } from '../helpers/service.ts'
import { breachesOf } from './cell.ts'
import { goodBody, operations, type Operation } from './operations.ts'
import { startServer, type Server } from './server.ts'
import { stall, wire, type Step } from './wire.ts'

export interface ProcessOutcome {
  readonly exit: number
  /** All of standard output: text, or what it matches (default: `Hello` for exit 0, else nothing). */
  readonly out?: string | RegExp
  /** Part of the error or notice; absent: standard error is empty. */
  readonly words?: string
  /** Part of the hint; absent: there is none. */
  readonly hint?: string
  /** (default: 1) */
  readonly requests?: number
}

export interface ProcessCase {
  readonly name: string
  /** Run by bash with `pipefail`, in an empty home directory. `syn` is the program. */
  readonly line: string
  /** What every request gets (default: a good reply). */
  readonly reply?: keyof typeof replies
  readonly outcome: ProcessOutcome
  /** Why it cannot run in every test. */
  readonly needs?: 'a user other than root'
}

export interface ProcessAxis {
  readonly title: string
  readonly cases: readonly ProcessCase[]
}

const [chat] = operations
const chatParts = (chat as Operation).parts

const eventStream = { 'content-type': 'text/event-stream' }

export const replies = {
  good: (path: string): readonly Step[] => {
    const operation = operations.find((one) => one.path === path) as Operation
    const type = operation.group === 'streams' ? 'text/event-stream' : 'application/json'
    return wire({ headers: { 'content-type': type }, body: [goodBody(operation)] })
  },
  long: (): readonly Step[] =>
    wire({
      headers: eventStream,
      body: [chatParts.start, chatParts.text.repeat(200_000), chatParts.finish, chatParts.done],
    }),
  stalled: (): readonly Step[] => wire({ headers: eventStream, body: [chatParts.start + chatParts.text, stall] }),
  silent: (): readonly Step[] => [stall],
  busy: (): readonly Step[] => wire({ status: 503, headers: { 'retry-after': '60' }, body: ['{"error":"Busy"}'] }),
  cut: (): readonly Step[] => wire({ headers: eventStream, body: [chatParts.start + chatParts.text] }),
} as const

/** Whether this process can try it: permissions do not apply to root. */
export function canTry({ needs }: ProcessCase): boolean {
  return needs === undefined || process.getuid?.() !== 0
}

/** The name of a case, with what it needs. */
export function titleOf({ name, needs }: ProcessCase): string {
  return needs === undefined ? name : `${name} (needs ${needs})`
}

/** The environment of a process, with an empty home directory, and `syn` in PATH. */
export function processEnvironment(server: Server): Record<string, string> {
  const bin = join(emptyFolder(), 'bin')
  mkdirSync(bin)
  symlinkSync(program, join(bin, 'syn'))
  const base = environment()
  return {
    ...base,
    PATH: `${bin}:${base.PATH}`,
    SYN_BASE_URL: `http://127.0.0.1:${server.port}`,
    SYN_API_KEY: testKey,
  }
}

/** @returns what differs from the expectation. */
export async function tryProcess({ line, reply = 'good', outcome }: ProcessCase): Promise<string[]> {
  await using server = await startServer({ answer: replies[reply] })
  const env = processEnvironment(server)
  const { ended } = start('bash', ['-c', `set -o pipefail; cd "$HOME"; ${line}`], env)
  const { code, signal, out, err } = await ended
  const { exit, words, hint, requests = 1 } = outcome
  const expectedOut = outcome.out ?? (exit === 0 ? 'Hello\n' : '')
  const isOut = typeof expectedOut === 'string' ? out === expectedOut : expectedOut.test(out)
  const messages = err.split('\n').filter((text) => !text.startsWith('hint: '))
  const hints = err.split('\n').filter((text) => text.startsWith('hint: '))
  const problems = [
    code === exit ? '' : `exit ${code ?? signal}, not ${exit}`,
    isOut ? '' : `printed ${JSON.stringify(out.slice(0, 300))}`,
    server.paths.length === requests ? '' : `${server.paths.length} requests, not ${requests}`,
    words === undefined && err !== '' ? 'said something' : '',
    words !== undefined && !messages.join('\n').includes(words) ? `lacks the words: ${words}` : '',
    hint === undefined && hints.length > 0 ? 'has a hint' : '',
    hint !== undefined && !hints.join('\n').includes(hint) ? `lacks the hint: ${hint}` : '',
    ...breachesOf({ exit: code ?? -1, out, err }),
  ].filter(Boolean)
  return problems.length === 0 ? [] : [`${problems.join('; ')}: ${err.slice(0, 800)}`]
}
