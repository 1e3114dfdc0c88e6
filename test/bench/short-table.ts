/** The table of README.md, in Markdown: what a person waits for, and what it was measured on. */

import type { Figure } from './figures.ts'
import type { Run } from './run.ts'

const programs = ['syn', 'openai', 'llm'] as const
const head = ['from Enter', 'syn', '`openai` SDK for Node', '`llm`']

/** Figures of the programs that take part, in the order of the columns. */
const rows: readonly (readonly [label: string, of: 'wall' | 'first', ...ids: readonly Figure['id'][]])[] = [
  ['to the end of `syn --version`', 'wall', 'startup/version'],
  ['to the first token of an answer', 'first', ...rivalsOf('startup/request')],
  ['to the end of a short answer', 'wall', ...rivalsOf('startup/request')],
  ['to the end of one of 200,000 tokens', 'wall', ...rivalsOf('streams/chat')],
]

function rivalsOf(id: string): string[] {
  return programs.map((program) => (program === 'syn' ? id : `${id}-${program}`))
}

export function shortTable({ node, machine, date, figures }: Run): string {
  const byId = new Map(figures.map((figure) => [figure.id, figure]))
  const lines = rows
    .filter(([, of, ...ids]) => ids.some((id) => byId.get(id)?.[of] !== undefined))
    .map(([label, of, ...ids]) => [label, ...programs.map((_, at) => waited(byId.get(ids[at] ?? '')?.[of]))])
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`)
  return `Node ${node}, ${machine.cores} cores of ${machine.cpu}, ${date}:\n\n${table.join('')}`
}

/** Two significant digits of seconds. */
function waited(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : `${(milliseconds / 1000).toPrecision(2)} s`
}
