/** The command line of the benchmark. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { groups } from './groups.ts'

export class OptionError extends Error {}

export interface Options {
  /** Groups or figures; empty for the default. */
  readonly only: readonly string[]
  /** Major versions of Node. */
  readonly nodes: readonly number[]
  readonly rounds: number | undefined
  readonly syn: string
  readonly gate: boolean
  readonly format: 'table' | 'json' | 'markdown'
}

export const help = `Measure syn beside other programs: CPU time, memory and delays

Usage: npm run bench -- [OPTIONS]

  --only NAMES   Groups or single figures, such as startup,streams/chat
                 (default: all but those marked with *)
  --node LIST    Major versions of Node, such as 20,24; those that are not
                 running are installed from npm (default: the running one)
  --rounds N     Rounds that count (default: by group)
  --syn FILE     Measure another build (default: bin/syn.cjs)
  --gate         Measure only what has a bound; exit with 1 if one is exceeded
  --json         Print JSON
  --markdown     Print the short table of README.md
  -h, --help     Print this help

Groups: ${groups.map(({ name, onlyIfNamed }) => `${name}${onlyIfNamed ? '*' : ''}`).join(', ')}
`

const runningMajor = Number(process.versions.node.split('.', 1)[0])

/** @returns `help` if that is what was asked for. @throws OptionError */
export function readOptions(argv: readonly string[]): Options | 'help' {
  const { values, positionals } = parse(argv)
  if (values.help) return 'help'
  if (positionals[0] !== undefined) throw new OptionError(`unexpected argument: ${positionals[0]}`)
  if (values.json && values.markdown) throw new OptionError('--json and --markdown cannot be combined')
  const syn = resolve(values.syn ?? fileURLToPath(new URL('../../bin/syn.cjs', import.meta.url)))
  if (!existsSync(syn)) throw new OptionError(`--syn: no such file: ${syn}`)
  return {
    only: namesIn(values.only),
    nodes: (values.node?.split(',') ?? [String(runningMajor)]).map((text) => wholeNumber('--node', text)),
    rounds: values.rounds === undefined ? undefined : wholeNumber('--rounds', values.rounds),
    syn,
    gate: values.gate ?? false,
    format: values.json ? 'json' : values.markdown ? 'markdown' : 'table',
  }
}

function parse(argv: readonly string[]) {
  const flag = { type: 'boolean' } as const
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        only: text,
        node: text,
        rounds: text,
        syn: text,
        gate: flag,
        json: flag,
        markdown: flag,
        help: { ...flag, short: 'h' },
      },
    })
  } catch (error) {
    // Node's message goes on with advice about arguments that begin with a dash.
    const [message = ''] = (error as Error).message.split(/\. |\n/, 1)
    throw new OptionError(message.charAt(0).toLowerCase() + message.slice(1))
  }
}

function namesIn(list: string | undefined): string[] {
  const names = list?.split(',') ?? []
  const unknown = names.find((name) => !groups.some((group) => group.name === name.split('/', 1)[0]))
  if (unknown !== undefined) {
    throw new OptionError(
      `--only: no group named "${unknown}" (available: ${groups.map(({ name }) => name).join(', ')})`,
    )
  }
  return names
}

function wholeNumber(flag: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new OptionError(`${flag}: not a positive whole number: "${text}"`)
  return Number(text)
}
