/** Conversations, and what was found in them, for a person at a terminal or as lines of values for other programs. */

import { harmlessName } from '../io/harmless.ts'
import type { Sink } from '../io/io.ts'
import { localTime } from '../io/time.ts'
import type { Style } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import type { Column } from '../terminal/table.ts'

/** Times are ISO 8601, UTC. */
export interface Listed {
  readonly id: string
  readonly name: string | null
  readonly title: string
  readonly updated: string
  readonly turns: number
}

export interface Found extends Listed {
  readonly hits: readonly { readonly role: string; readonly text: string }[]
}

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'last said' },
  { title: 'turns', align: 'right' },
  { title: 'name, or first words', yields: 1, minimum: 10 },
]

/** Below this a row has room for the first and the last column only, in columns. */
const roomy = 64

/** The same for a line above what was found, which has no number of turns. */
const roomyHead = 52

export async function listText(rows: readonly Listed[], sink: Sink, style: Style): Promise<string> {
  if (!sink.isTerminal) {
    return tabSeparated(rows.map((row) => [row.id, row.updated, String(row.turns), row.name ?? '', row.title]))
  }
  if (rows.length === 0) return ''
  const { tableLines } = await import('../terminal/table.ts')
  const width = sink.columns()
  const cells = rows.map((row) => {
    const others = width < roomy ? ['', ''] : [momentText(row), String(row.turns)]
    return [row.id, ...others, titleText(row)].map(harmlessName)
  })
  return linesText(tableLines(columns, cells, { width, heading: style.dim }))
}

/** @param pattern What was looked for, to show where it stands. */
export async function foundText(rows: readonly Found[], pattern: RegExp, sink: Sink, style: Style): Promise<string> {
  if (!sink.isTerminal) {
    return tabSeparated(rows.flatMap((row) => row.hits.map(({ role, text }) => [row.id, role, text])))
  }
  const { cutTo } = await import('../terminal/width.ts')
  const width = sink.columns()
  const groups = rows.map((row) => {
    const moment = width < roomyHead ? [] : [momentText(row)]
    const head = cutTo(harmlessName([row.id, ...moment, titleText(row)].join('  ')), width)
    const hits = row.hits.map(({ role, text }) => {
      const line = cutTo(harmlessName(`  ${role.padEnd(9)}  ${text}`), width)
      return line.slice(0, 13) + line.slice(13).replace(pattern, (match) => style.bold(match))
    })
    return linesText([style.dim(head), ...hits])
  })
  return groups.join('\n')
}

function momentText({ updated }: Listed): string {
  return localTime(Date.parse(updated))
}

function titleText({ name, title }: Listed): string {
  return name ?? title
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
