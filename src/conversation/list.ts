/** Lists of conversations and of search hits: a table on a terminal, tab-separated lines elsewhere. */

import { joinSafe, linesOf, replaceSafe, safe, sanitizeName } from '../io/text/safe-text.ts'
import type { Sink } from '../io/io.ts'
import { localTime } from '../io/time/time.ts'
import { settingSpecs } from '../settings/setting-specs.ts'
import type { Style } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import type { Column } from '../terminal/table.ts'
import type { SearchHit } from './search.ts'
import type { ConversationSummary } from './summaries.ts'

export interface ConversationMatch extends ConversationSummary {
  readonly hits: readonly SearchHit[]
}

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'updated' },
  { title: 'turns', align: 'right' },
  { title: 'profile' },
  { title: 'name or first words', shrinkOrder: 1, minimum: 10 },
]

/** In columns. Narrower terminals show only the first and the last column. */
const fullTableWidth = 64

/** In columns. Narrower terminals omit the time above search hits. */
const fullHeadingWidth = 52

export async function writeList(rows: readonly ConversationSummary[], sink: Sink, style: Style): Promise<void> {
  // Older versions recorded none for the default profile.
  const isMixed = new Set(rows.map(({ profile }) => profile ?? settingSpecs.profile.field.default)).size > 1
  if (!sink.isTerminal) {
    const profileOf = ({ profile }: ConversationSummary): string[] => (isMixed ? [profile ?? ''] : [])
    const cells = rows.map((row) => [row.id, row.updated, `${row.turns}`, row.name ?? '', row.title, ...profileOf(row)])
    return sink.write(tabSeparated(cells))
  }
  if (rows.length === 0) return
  const { tableLines } = await import('../terminal/table.ts')
  const width = sink.columns()
  const cells = rows.map((row) => {
    const profile = isMixed ? (row.profile ?? '') : ''
    const others = [localTime(Date.parse(row.updated)), String(row.turns), profile]
    return [row.id, ...(width < fullTableWidth ? ['', '', ''] : others), row.name ?? row.title].map(sanitizeName)
  })
  await sink.write(linesOf(tableLines(columns, cells, { width, heading: style.dim })))
}

/** @param pattern The search pattern, to highlight its matches. */
export async function writeMatches(
  rows: readonly ConversationMatch[],
  pattern: RegExp,
  sink: Sink,
  style: Style,
): Promise<void> {
  if (!sink.isTerminal) {
    return sink.write(tabSeparated(rows.flatMap((row) => row.hits.map(({ role, text }) => [row.id, role, text]))))
  }
  const { cutTo, widthOf } = await import('../terminal/width.ts')
  const width = sink.columns()
  const groups = rows.map((row) => {
    const time = width < fullHeadingWidth ? [] : [localTime(Date.parse(row.updated))]
    const head = cutTo(sanitizeName([row.id, ...time, row.name ?? row.title].join('  ')), width)
    const hits = row.hits.map(({ role, text }) => {
      const head = safe`  ${sanitizeName(role).padEnd(9)}  `
      const shown = cutTo(sanitizeName(text), Math.max(1, width - widthOf(head)))
      return safe`${head}${replaceSafe(shown, pattern, style.bold)}`
    })
    return linesOf([style.dim(head), ...hits])
  })
  await sink.write(joinSafe(groups, safe`\n`))
}
