/**
 * Runs a program and measures it.
 *
 * CPU time is user and system time of the program and all that it started, from `time` of bash, which has it from the
 * kernel to the millisecond. Node doesn't tell it of a child (no RUSAGE_CHILDREN), a program that asks for its own misses
 * its exit, where Node 20 can spend 75 ms, and /usr/bin/time isn't installed everywhere. bash is, from 3.2 on macOS.
 *
 * Peak memory is the maximum resident set that a Node program asks for at its exit. The preload for that takes about
 * 1 ms, so it is left out where programs are short.
 *
 * What a person waits for is timed from here, with the start of bash, which takes about 1 ms.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn as spawnOnTerminal } from '@lydell/node-pty'

export type Environment = Readonly<Record<string, string>>

export class BenchmarkError extends Error {}

/** One of the programs that are measured side by side. */
export interface Program {
  /** The name in the table of results. */
  readonly label: string
  readonly command: readonly [string, ...string[]]
  /** Beside the variables of the run. */
  readonly env?: Environment
  /** A file for standard input (default: none). */
  readonly input?: string
  /** Whether to measure its memory: only for programs of Node. */
  readonly peak?: boolean
  /** Whether standard output is a terminal (default: a pipe). */
  readonly terminal?: boolean
  /** How many rounds count, if fewer than those of the others. */
  readonly rounds?: number
  /** @returns what is wrong with the output; `undefined` if it is complete. */
  readonly problem: (output: Buffer) => string | undefined | Promise<string | undefined>
}

export interface Sample {
  /** In milliseconds. */
  readonly cpu: number
  /** From the start of the program to its end, in milliseconds. */
  readonly wall: number
  /** From the start of the program to its first output, in milliseconds; `undefined` if there was none. */
  readonly first?: number
  /** In MiB. */
  readonly peak?: number
}

/** The folder and the variables that programs run with. */
export interface Place {
  /** A folder for files of the run. */
  readonly folder: string
  readonly env: Environment
}

const preload = fileURLToPath(new URL('peak.cjs', import.meta.url))

/** Arguments: a file for the times, and the command. The program keeps standard error; that of bash is the file. */
const timed = `TIMEFORMAT='%U %S'; exec 3>&2 2> "$1"; shift; time "$@" 2>&3 3>&-`

/** @throws BenchmarkError if the program fails, or its output is not complete. */
export async function measure(program: Program, { folder, env }: Place): Promise<Sample> {
  const [times, peaks] = [join(folder, 'times'), join(folder, 'peak')]
  rmSync(peaks, { force: true })
  const [name, ...argv] = program.command
  const command = [times, name, ...(program.peak ? ['--require', preload] : []), ...argv]
  const own = { ...env, ...program.env, BENCH_PEAK: peaks }
  const start = performance.now()
  const ended = program.terminal ? await onTerminal(command, own, folder) : await inPipes(command, own, program)
  const wall = performance.now() - start
  await assertComplete(program, ended)
  return {
    cpu: cpuFrom(readFileSync(times, 'utf8')),
    wall,
    ...(ended.firstOutput !== undefined && { first: ended.firstOutput - start }),
    ...(existsSync(peaks) && { peak: peakFrom(peaks) }),
  }
}

/** @param argv For `timed`. */
async function inPipes(argv: readonly string[], env: Environment, { input }: Program): Promise<Ended> {
  const file = input === undefined ? undefined : openSync(input, 'r')
  const child = spawn('bash', ['-c', timed, 'bash', ...argv], { env, stdio: [file ?? 'ignore', 'pipe', 'pipe'] })
  if (file !== undefined) closeSync(file)
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  let firstOutput: number | undefined
  child.stdout?.on('data', (chunk: Buffer) => {
    firstOutput ??= performance.now()
    out.push(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  const [output, text] = [Buffer.concat(out), Buffer.concat(err).toString('utf8')]
  return { status: code ?? signal ?? '', output, err: text, firstOutput }
}

/** Standard error is a file: on the terminal it would be part of the output. */
async function onTerminal(argv: readonly string[], env: Environment, folder: string): Promise<Ended> {
  const errors = join(folder, 'errors')
  const own = ['-c', `exec 2> "$0"; ${timed}`, errors, ...argv]
  const child = spawnOnTerminal('bash', own, { cols: 80, rows: 24, name: 'xterm-256color', env: { ...env } })
  const out: string[] = []
  child.onData((text) => out.push(text))
  const status = await new Promise<number>((resolve) =>
    child.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode)),
  )
  return { status, output: Buffer.from(out.join('')), err: readFileSync(errors, 'utf8') }
}

/** How a program ended. */
export interface Ended {
  /** Exit status, or name of the signal. */
  readonly status: number | string
  readonly output: Buffer
  /** Standard error. */
  readonly err: string
  /** By the clock of `performance`; of pipes only. */
  readonly firstOutput?: number | undefined
}

/** @throws BenchmarkError if the program failed, or its output is not complete. */
export async function assertComplete(program: Program, { status, output, err }: Ended): Promise<void> {
  const problem =
    status !== 0
      ? `failed with status ${status}: ${firstLine(err) || 'no message'}`
      : err !== ''
        ? `wrote to standard error: ${firstLine(err)}`
        : await program.problem(output)
  if (problem !== undefined) throw new BenchmarkError(`${program.label}: ${problem}`)
}

/** `0.041 0.010` → 51 */
function cpuFrom(times: string): number {
  const [user = NaN, system = NaN] = times.trim().split(' ').map(Number)
  const cpu = Math.round((user + system) * 1000)
  if (!Number.isFinite(cpu)) throw new BenchmarkError(`bash printed no times, but: ${firstLine(times)}`)
  return cpu
}

/** The largest, if the program had started others. */
function peakFrom(path: string): number {
  return Math.max(...readFileSync(path, 'utf8').trim().split('\n').map(Number)) / 1024
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

/** The output is exactly this text; one more newline at its end is fine. */
export function prints(expected: string): Program['problem'] {
  return (output) => {
    const actual = output.toString('utf8')
    if (actual === expected || actual === `${expected}\n`) return undefined
    if (actual.length < expected.length) return `printed ${actual.length} of ${expected.length} characters`
    const at = Array.from(expected).findIndex((character, index) => actual[index] !== character)
    return `printed something else, from character ${at === -1 ? expected.length : at} on`
  }
}

/**
 * Runs all programs in turn, so that a busy moment of the machine hits them all. A round before those that count fills the
 * caches; a single round does without.
 */
export async function inTurn(
  programs: readonly Program[],
  rounds: number,
  place: Place,
): Promise<Map<Program, Sample[]>> {
  const samples = new Map(programs.map((program): [Program, Sample[]] => [program, []]))
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round++) {
    for (const [program, own] of samples) {
      if (round > (program.rounds ?? rounds)) continue
      const sample = await measure(program, place)
      if (round > 0) own.push(sample)
    }
  }
  return samples
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}
