/** Runs that wait for something when a signal arrives. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { searchOutput } from '../helpers/canary.ts'
import { breachesOf } from './cell.ts'
import { replies, processEnvironment } from './process.ts'
import { startServer } from './server.ts'

export interface WaitingCase {
  readonly name: string
  /** Run by bash, which it replaces. */
  readonly line: string
  readonly reply?: keyof typeof replies
  /** What shows that the run waits. */
  readonly waitsFor: 'request' | 'notice'
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'
  /** What is printed, if it does not depend on the moment. */
  readonly out: string
}

/** In milliseconds: far longer than a run takes to end. */
const limit = 50_000

export function exitOf({ signal }: WaitingCase): number {
  return 128 + constants.signals[signal]
}

/** @returns what differs from the expectation. */
export async function tryWaiting(one: WaitingCase): Promise<string[]> {
  await using server = await startServer({ answer: replies[one.reply ?? 'good'] })
  const child = spawn('bash', ['-c', one.line], { env: processEnvironment(server) })
  if (one.waitsFor !== 'notice') child.stdin.end()
  const texts = { out: '', err: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text))
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const killed = setTimeout(() => child.kill('SIGKILL'), limit)
  const isWaiting: Record<WaitingCase['waitsFor'], () => boolean> = {
    request: () => server.paths.length > 0,
    notice: () => texts.err !== '',
  }
  while (!isWaiting[one.waitsFor]() && child.exitCode === null && child.signalCode === null) await pause(50)
  const noticed = texts.err
  child.kill(one.signal)
  const [code, signal] = await exited
  clearTimeout(killed)
  child.stdout.destroy()
  child.stderr.destroy()
  child.stdin.destroy()
  searchOutput(one.name, texts.out, texts.err)
  const said = texts.err.slice(noticed.length)
  return [
    code === exitOf(one) ? '' : `exit ${code ?? signal}, not ${exitOf(one)}`,
    one.out === '' || texts.out === one.out ? '' : `printed ${JSON.stringify(texts.out.slice(0, 200))}`,
    said === '' ? '' : `said ${said}`,
    ...breachesOf({ exit: code ?? -1, out: texts.out, err: texts.err.replace(/^(ready|Hel)\n/, '') }),
  ].filter(Boolean)
}
