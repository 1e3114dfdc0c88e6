/** A full-screen view that is redrawn in place, on the alternate screen. */

import type { TerminalSink, TerminalWindow } from '../io/io.ts'
import { joinSafe, safe, type SafeText } from '../io/text/safe-text.ts'
import { widthOf } from './width.ts'

/** The alternate screen preserves the normal one, and is not reflowed when the terminal is resized. */
const enter = safe`\u001b[?1049h\u001b[?25l`
const leave = safe`\u001b[?25h\u001b[?1049l`
const home = safe`\u001b[H`
const eraseBelow = safe`\u001b[J`

/** In milliseconds: lines show the time left. */
const redrawInterval = 1000

export interface Screen {
  redraw(): Promise<void>
  /** Restores the terminal. */
  close(): Promise<void>
}

/**
 * @param render Makes the lines, also every second and when the terminal is resized. The terminal wraps those that are
 *   wider; those below its last row are not shown.
 */
export async function openScreen(
  sink: TerminalSink,
  window: TerminalWindow,
  render: (columns: number) => readonly SafeText[],
): Promise<Screen> {
  let isWriting = false
  /** One write in one step (DECSET 2026), so that nothing flickers. */
  const paint = async (): Promise<void> => {
    // While the terminal is stopped (Ctrl-S), no further writes are queued.
    if (isWriting) return
    const { columns, rows } = window
    let used = 0
    const shown = render(columns).filter((line) => {
      used += Math.max(1, Math.ceil(widthOf(line) / columns))
      return used <= rows
    })
    isWriting = true
    await sink
      .write(safe`\u001b[?2026h${home}${eraseBelow}${joinSafe(shown, safe`\n`)}\u001b[?2026l`)
      .finally(() => (isWriting = false))
  }
  const repaint = (): void => void paint().catch(() => undefined)
  await sink.write(enter)
  const timer = setInterval(repaint, redrawInterval)
  window.on('resize', repaint)
  return {
    redraw: paint,
    close() {
      clearInterval(timer)
      window.off('resize', repaint)
      return sink.write(leave)
    },
  }
}
