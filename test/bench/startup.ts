/** Start-up: the CPU time of short commands, as a multiple of `node -e 0`, and of the single file beside the package. */

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { registryNode, singleFile } from '../../.build/binary/files.ts'
import { compare, type Entrant, type Figure, type Setting } from './figures.ts'
import { BenchmarkError, type Program, prints } from './measure.ts'
import { modelWithEvents, modelWithNumbers, quota, textWithEvents, vectorOf } from './replies.ts'
import { floor, type Question, rivals } from './rivals.ts'

const events = 3
const question: Question = { operation: 'chat', model: modelWithEvents(events), answer: textWithEvents(events) }
const dimensions = 8
const { limit, requests, renewsAt } = quota.subscription

type Row = readonly [name: string, argv: readonly string[], problem: Program['problem']]

const rows: readonly Row[] = [
  ['version', ['--version'], matches(/^\d+\.\d+\.\d+\S*\n$/)],
  ['help', ['--help'], matches(/^Usage: syn COMMAND [^]+\n$/m)],
  ['chat-help', ['chat', '--help'], matches(/^Usage: syn chat [^]+\n$/m)],
  ['completion', ['completion', '--words', 'syn chat --rea'], matches(/^--reasoning\t/m)],
  ['request', ['chat', '-m', question.model, 'hi'], prints(question.answer)],
  [
    'embed',
    ['embed', '-m', modelWithNumbers(dimensions), 'line 5'],
    prints(JSON.stringify({ index: 0, embedding: vectorOf(5, dimensions) })),
  ],
  ['quota', ['quota'], prints(['subscription', requests, limit - requests, limit, renewsAt].join('\t'))],
]

export function measureStartup(setting: Setting): Promise<Figure[]> {
  const { node, syn } = setting
  const base: Entrant = { id: 'startup/node', label: 'node -e 0', command: [node, '-e', '0'], problem: prints('') }
  const own = rows.map((row) => entrantFor(row, `startup/${row[0]}`, 'syn', [node, syn]))
  const others = [floor('startup/floor', question, setting), ...rivals('startup/request', question, setting)]
  return compare(base, [...own, ...others], setting)
}

/** In pairs: the base of each row is the package, run by the version of Node that is in the file. */
export async function measureSingleFile(setting: Setting): Promise<Figure[]> {
  if (!existsSync(singleFile)) throw new BenchmarkError(`no ${singleFile}: run npm run binary first`)
  const node = registryNode()
  const version = outputOf(node, '--version').trim().slice(1)
  if (!outputOf(singleFile, '--licenses').includes(`\nNode.js ${version},`)) {
    throw new BenchmarkError(`${singleFile} has another Node than ${version} of ${node}: run npm run binary first`)
  }
  const figures: Figure[] = []
  for (const row of rows) {
    const id = `single-file/${row[0]}`
    // Node's compile cache, in TMPDIR, keeps the functions of the first run and adds none later: each row has its own.
    const env = { TMPDIR: join(setting.folder, row[0]) }
    const base = entrantFor(row, `${id}-package`, `package on Node ${version}:`, [node, setting.syn])
    const file = entrantFor(row, id, 'file:', [singleFile])
    figures.push(...(await compare({ ...base, env }, [{ ...file, env }], setting)))
  }
  return figures
}

function entrantFor(row: Row, id: string, program: string, start: readonly [string, ...string[]]): Entrant {
  const [name, argv, problem] = row
  const shown = name === 'request' ? 'chat hi' : name === 'embed' ? 'embed hi' : argv.join(' ')
  return { id, label: `${program} ${shown}`, command: [...start, ...argv], problem }
}

function outputOf(file: string, flag: string): string {
  return execFileSync(file, [flag], { encoding: 'utf8' })
}

function matches(pattern: RegExp): Program['problem'] {
  return (output) => (pattern.test(output.toString('utf8')) ? undefined : `printed no ${pattern}`)
}
