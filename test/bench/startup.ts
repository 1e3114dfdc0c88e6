/** Start-up: the CPU time of short commands, as a multiple of `node -e 0`. */

import { compare, type Entrant, type Figure, type Setting } from './figures.ts'
import { type Program, prints } from './measure.ts'
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
  const own = rows.map(([name, argv, problem]): Entrant => {
    const shown = name === 'request' ? 'chat hi' : name === 'embed' ? 'embed hi' : argv.join(' ')
    return { id: `startup/${name}`, label: `syn ${shown}`, command: [node, syn, ...argv], problem }
  })
  const others = [floor('startup/floor', question, setting), ...rivals('startup/request', question, setting)]
  return compare(base, [...own, ...others], setting)
}

function matches(pattern: RegExp): Program['problem'] {
  return (output) => (pattern.test(output.toString('utf8')) ? undefined : `printed no ${pattern}`)
}
