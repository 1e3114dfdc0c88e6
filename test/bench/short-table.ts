/** The table of README.md, in Markdown: few rows, and what they were measured on. */

import type { Figure } from './figures.ts'
import type { Run } from './run.ts'

const programs = ['syn', 'undici', 'openai', 'curl'] as const

/** Figures of the programs that take part, in the order of the columns. */
const rows: readonly (readonly [label: string, ...ids: readonly Figure['id'][]])[] = [
  ['`syn --version`, to `node -e 0`', 'startup/version'],
  ['`syn chat --help`, to `node -e 0`', 'startup/chat-help'],
  ['one request, to `node -e 0`', ...rivalsOf('startup/request')],
  ['200,000 events, to 20 lines of `node:http`', ...rivalsOf('streams/chat')],
]

function rivalsOf(id: string): string[] {
  return programs.map((program) => (program === 'syn' ? id : `${id}-${program}`))
}

export function shortTable({ node, machine, date, figures }: Run): string {
  const ratios = new Map(figures.map(({ id, ratio }) => [id, ratio?.toFixed(1)]))
  const lines = rows
    .filter(([, ...ids]) => ids.some((id) => ratios.has(id)))
    .map(([label, ...ids]) => [label, ...programs.map((_, at) => ratios.get(ids[at] ?? '') ?? '–')])
  const head = ['CPU time as a ratio', 'syn', 'undici', '`openai` SDK', '`curl` and `jq`']
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`)
  return `Node ${node}, ${machine.cores} cores of ${machine.cpu}, ${date}:\n\n${table.join('')}`
}
