/** Runs the built program as a process. Needs `npm run build`. */

import { spawn, type ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { searchOutput } from './canary.ts'
import { needsCommand } from './installed.ts'
import { emptyFolder } from './run-syn.ts'
import type { Service } from './service.ts'

/** The Node that runs the program, which may be another than that of the tests. */
export const node = process.env.SYN_TEST_NODE ?? process.execPath

export const program = fileURLToPath(new URL('../../bin/syn.cjs', import.meta.url))

/** The shell command that runs it. */
export const synCommand = `${quoted(node)} ${quoted(program)}`

export interface Ended {
  code: number | null
  signal: string | null
  out: string
  err: string
}

export interface Running {
  readonly child: ChildProcess
  /** Resolves with standard output when it contains the text; rejects if the program ends without it. */
  untilOut(text: string): Promise<string>
  /** The same for standard error. */
  untilErr(text: string): Promise<string>
  readonly ended: Promise<Ended>
}

/** The environment of a process: only PATH is the caller's. */
export function environment(service?: Pick<Service, 'env'>): Record<string, string> {
  const { PATH = '' } = process.env
  return {
    PATH: `${dirname(node)}${delimiter}${PATH}`,
    HOME: emptyFolder(),
    TMPDIR: tmpdir(),
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    ...service?.env,
  }
}

/** Quotes a word for a shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Starts a command. A test whose command is not installed is skipped: see `installed.ts`.
 * @param stdio As for `spawn` (default: no standard input).
 */
export function start(
  command: string,
  argv: string[],
  env: Record<string, string>,
  stdio: ('pipe' | 'ignore' | number)[] = ['ignore', 'pipe', 'pipe'],
): Running {
  needsCommand(command)
  const child = spawn(command, argv, { env, stdio })
  const texts = { out: '', err: '' }
  const watchers = new Set<() => void>()
  for (const [stream, name] of [[child.stdout, 'out'] as const, [child.stderr, 'err'] as const]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
      for (const check of watchers) check()
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      searchOutput([command, ...argv].join(' '), texts.out, texts.err)
      resolve({ code, signal, ...texts })
    })
  })
  const until = (name: keyof typeof texts, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!texts[name].includes(text)) return
        watchers.delete(check)
        resolve(texts[name])
      }
      watchers.add(check)
      check()
      void ended.then(({ out, err }) => reject(new Error(`ended without ${text}: ${out}${err}`)))
    })
  return { child, untilOut: (text) => until('out', text), untilErr: (text) => until('err', text), ended }
}

/** Runs npm or what it installs, with an empty home directory, so that npm has no configuration. */
export function runNpm(command: string, argv: string[], home: string): Promise<Ended> {
  return start(command, argv, { ...environment(), HOME: home, npm_config_update_notifier: 'false' }).ended
}

export function startSyn(argv: string[], env: Record<string, string>, stdio?: ('pipe' | 'ignore' | number)[]): Running {
  return start(node, [program, ...argv], env, stdio)
}

/** Runs a line in bash, where `syn` is the built program. */
export function shell(line: string, env: Record<string, string>): Promise<Ended> {
  const syn = `syn() { ${synCommand} "$@"; }`
  return start('bash', ['-c', `${syn}\n${line}`], env).ended
}

/** A command for EDITOR that replaces the first of a word in the text, with no other program than `cat`. */
export function replacingEditor(word: string, other: string): string {
  const script = `text=$(cat "$1")
case $text in *${word}*) printf '%s\\n' "\${text%%${word}*}${other}\${text#*${word}}" > "$1" ;; esac`
  return `sh -c ${quoted(script)} sh`
}
