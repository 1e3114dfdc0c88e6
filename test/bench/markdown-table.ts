/** Prints figures as tables for people. */

import { boundsOf, limitFor, overBounds, type Bound } from './bounds.ts'
import type { Figure } from './figures.ts'
import { groups } from './groups.ts'
import type { Run } from './run.ts'

interface Column {
  readonly title: string
  readonly cell: (figure: Figure, run: Run) => string
}

const milliseconds = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`
const mebibytes = (value: number): string => `${value.toFixed(0)} MiB`
const multiple = (value: number): string => value.toFixed(2)

const shown: Readonly<Record<Bound['of'], (value: number) => string>> = {
  ratio: multiple,
  growth: multiple,
  peak: mebibytes,
  extra: (value) => `+${milliseconds(value)}`,
}

const columns: readonly Column[] = [
  { title: '', cell: ({ label }) => label },
  { title: 'CPU time', cell: ({ cpu }) => orEmpty(cpu, milliseconds) },
  { title: 'ratio', cell: ({ ratio }) => orEmpty(ratio, multiple) },
  { title: 'wall', cell: ({ wall }) => orEmpty(wall, milliseconds) },
  { title: 'first output', cell: ({ first }) => orEmpty(first, milliseconds) },
  { title: 'delay', cell: ({ delay }) => orEmpty(delay, (value) => `${value.toFixed(2)} ms`) },
  { title: 'extra', cell: ({ extra }) => orEmpty(extra, (value) => `${value.toFixed(2)} ms`) },
  { title: 'memory', cell: ({ peak }) => orEmpty(peak, mebibytes) },
  { title: 'growth', cell: ({ growth }) => orEmpty(growth, multiple) },
  { title: 'bound', cell: boundCell },
]

function orEmpty(value: number | undefined, show: (value: number) => string): string {
  return value === undefined ? '' : show(value)
}

function boundCell(figure: Figure, { nodeMajor }: Run): string {
  const cells = boundsOf(figure.id).flatMap((bound) => {
    const limit = limitFor(bound, nodeMajor)
    return limit === undefined ? [] : [shown[bound.of](limit)]
  })
  return cells.join(', ') + (overBounds([figure], nodeMajor).length > 0 ? ' exceeded' : '')
}

/** A table for each group that was measured. */
export function tables(run: Run): string {
  const { machine, node, date } = run
  const head = `syn ${run.syn} on Node ${node}, ${machine.cpu} (${machine.cores} cores), ${machine.system}, ${date}\n`
  const parts = groups.map(({ name, title }) => {
    const figures = run.figures.filter(({ id }) => id.startsWith(`${name}/`))
    return figures.length === 0 ? '' : `\n${table(title, figures, run)}`
  })
  return head + parts.join('')
}

function table(title: string, figures: readonly Figure[], run: Run): string {
  const used = columns.filter(({ cell }) => figures.some((figure) => cell(figure, run) !== ''))
  const rows = [
    used.map((column, at) => (at === 0 ? title : column.title)),
    ...figures.map((figure) => used.map(({ cell }) => cell(figure, run))),
  ]
  const widths = used.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd : cell.padStart).call(cell, widths[at] ?? 0)))
    .map((cells) => `${cells.join('  ').trimEnd()}\n`)
    .join('')
}
