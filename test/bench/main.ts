import { overBounds } from './bounds.ts'
import { BenchmarkError } from './measure.ts'
import { nodeVersion } from './nodes.ts'
import { help, OptionError, type Options, readOptions } from './options.ts'
import { measureAll, type Run } from './run.ts'
import { shortTable } from './short-table.ts'
import { tables } from './markdown-table.ts'

export interface Streams {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

const outputs: Readonly<Record<Options['format'], (runs: readonly Run[]) => string>> = {
  json: (runs) => `${JSON.stringify(runs, null, 2)}\n`,
  markdown: (runs) => runs.map(shortTable).join('\n'),
  table: (runs) => runs.map(tables).join('\n'),
}

/** @returns the exit status. */
export async function main(argv: readonly string[], { out, err }: Streams): Promise<number> {
  const say = (text: string): void => err(`bench: ${text}\n`)
  try {
    const options = readOptions(argv)
    if (options === 'help') {
      out(help)
      return 0
    }
    const runs: Run[] = []
    for (const node of options.nodes.map(nodeVersion)) runs.push(await measureAll(node, options, say))
    out(outputs[options.format](runs))
    if (!options.gate) return 0
    const exceeded = runs.flatMap(({ node, nodeMajor, figures }) =>
      overBounds(figures, nodeMajor).map((text) => `Node ${node}: ${text}`),
    )
    for (const text of exceeded) say(text)
    return exceeded.length === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof BenchmarkError || error instanceof OptionError)) throw error
    say(error.message)
    return error instanceof OptionError ? 2 : 1
  }
}
