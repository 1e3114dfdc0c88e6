/** A table's rows, held until the last one has come (GFM 4.10). */

import type { Inline } from './inline.ts'
import type { Page } from './page.ts'
import { plain, within } from './run.ts'
import { layOut, type Alignment } from './table-layout.ts'
import type { Theme } from './theme.ts'

export class Table {
  readonly #header: readonly string[]
  readonly #alignments: readonly Alignment[]
  readonly #rows: string[][] = []

  /** @returns nothing when the second line doesn't make a table of the first. */
  static begin(header: string, delimiters: string): Table | undefined {
    const cells = cellsOf(delimiters)
    if (!/[|:]/.test(delimiters) || !cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined
    const names = cellsOf(header)
    return names.length === cells.length ? new Table(names, cells.map(alignmentOf)) : undefined
  }

  private constructor(header: readonly string[], alignments: readonly Alignment[]) {
    this.#header = header
    this.#alignments = alignments
  }

  add(row: string): void {
    this.#rows.push(cellsOf(row))
  }

  print(page: Page, inline: Inline, theme: Theme): void {
    page.beginBlock(true)
    const head = within(plain, theme.tableHead)
    const table = {
      header: this.#header.map((cell) => inline.runs(cell, head)),
      rows: this.#rows.map((row) => row.map((cell) => inline.runs(cell))),
      alignments: this.#alignments,
    }
    for (const line of layOut(table, page.columns(), theme)) page.line(line)
  }
}

function alignmentOf(delimiter: string): Alignment {
  if (!delimiter.endsWith(':')) return 'left'
  return delimiter.startsWith(':') ? 'center' : 'right'
}

/** Pipes part the cells, but escaped ones: they are text even in code. */
function cellsOf(row: string): string[] {
  const cells = ['']
  for (const [part] of row.trim().matchAll(/\\\||\||[^|\\]+|\\/g)) {
    if (part === '|') cells.push('')
    else cells[cells.length - 1] += part === '\\|' ? '|' : part
  }
  const trimmed = cells.map((cell) => cell.trim())
  if (trimmed[0] === '') trimmed.shift()
  if (trimmed.at(-1) === '' && row.trimEnd().endsWith('|')) trimmed.pop()
  return trimmed
}
