/** What a terminal shows of what is written to it. */

import xterm, { type IBuffer, type IBufferCell, type Terminal } from '@xterm/headless'

export interface Picture {
  /** The lines, without trailing whitespace and trailing blank lines. */
  lines(): string[]
  /** The first cell of a text. */
  cellOf(text: string): IBufferCell
  /** All cells, and the cursor. */
  cells(): IBuffer
  /** Everything written to the terminal, including escape sequences. */
  written(): string
}

export interface Size {
  columns?: number
  rows?: number
  /** Number of lines kept above the screen. Each check is faster with few of them. */
  scrollback?: number
}

export function newTerminal({ columns = 80, rows = 24, scrollback = 1000 }: Size): Terminal {
  return new xterm.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true })
}

export function pictureOf(terminal: Terminal, written: () => string): Picture {
  const lines = (): string[] => {
    const { active } = terminal.buffer
    const all = Array.from(
      { length: active.length },
      // After a resize the buffer keeps cells beyond the width.
      (_, row) => active.getLine(row)?.translateToString(false, 0, terminal.cols).trimEnd() ?? '',
    )
    while (all.at(-1) === '') all.pop()
    return all
  }
  return {
    lines,
    cellOf: (text) => {
      const row = lines().findIndex((line) => line.includes(text))
      const column = lines()[row]?.indexOf(text) ?? -1
      const cell = terminal.buffer.active.getLine(row)?.getCell(column)
      if (!cell) throw new Error(`${text} is not on the screen: ${lines().join('\n')}`)
      return cell
    },
    cells: () => terminal.buffer.active,
    written,
  }
}
