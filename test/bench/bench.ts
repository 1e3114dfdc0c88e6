/** `npm run bench`: measures syn beside other programs. `npm run bench -- --help` shows the options. */

import { overBounds } from './bounds.ts'
import { BenchmarkError } from './measure.ts'
import { nodeVersion } from './nodes.ts'
import { help, OptionError, type Options, readOptions } from './options.ts'
import { measureAll, type Run } from './run.ts'
import { shortTable } from './short-table.ts'
import { tables } from './table.ts'

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}

const outputs: Readonly<Record<Options['format'], (runs: readonly Run[]) => string>> = {
  json: (runs) => `${JSON.stringify(runs, null, 2)}\n`,
  markdown: (runs) => runs.map(shortTable).join('\n'),
  table: (runs) => runs.map(tables).join('\n'),
}

/** @returns the exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv)
  if (options === 'help') {
    process.stdout.write(help)
    return 0
  }
  const runs: Run[] = []
  for (const node of options.nodes.map(nodeVersion)) runs.push(await measureAll(node, options, say))
  process.stdout.write(outputs[options.format](runs))
  if (!options.gate) return 0
  const exceeded = runs.flatMap(({ node, nodeMajor, figures }) =>
    overBounds(figures, nodeMajor).map((text) => `Node ${node}: ${text}`),
  )
  for (const text of exceeded) say(text)
  return exceeded.length === 0 ? 0 : 1
}

// So that the temporary folder is removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof BenchmarkError || error instanceof OptionError)) throw error
  say(error.message)
  process.exitCode = error instanceof OptionError ? 2 : 1
}
