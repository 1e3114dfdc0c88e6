/** A full-screen view that is redrawn in place, on the alternate screen. */

import type { TerminalSink, TerminalWindow } from '../io/io.ts'
import { joinSafe, safe, type SafeText } from '../io/text/safe-text.ts'
import { foldTo } from './width.ts'

/** The alternate screen preserves the normal one, and is not reflowed when the terminal is resized. */
const enter = safe`\u001b[?1049h\u001b[?25l`
const leave = safe`\u001b[?25h\u001b[?1049l`
const home = safe`\u001b[H`
const eraseLine = safe`\u001b[K`
const eraseBelow = safe`\u001b[J`

/** In milliseconds: lines show the time left. */
const redrawInterval = 1000

export interface Screen {
  redraw(): Promise<void>
  /** Restores the terminal. */
  close(): Promise<void>
}

/**
 * @param render Makes the lines, also every second and when the terminal is resized. Those wider than the terminal are wrapped;
 *   those below its last row are not shown.
 */
export async function openScreen(
  sink: TerminalSink,
  window: TerminalWindow,
  render: (columns: number) => readonly SafeText[],
): Promise<Screen> {
  let isWriting = false
  /** One write, over the previous lines and without clearing the screen first, so that nothing flickers. */
  const paint = async (): Promise<void> => {
    // While the terminal is stopped (Ctrl-S), no further writes are queued.
    if (isWriting) return
    const { columns, rows } = window
    // After a character in the last column the cursor is still on it, and would erase it.
    const width = Math.max(1, columns - 1)
    const lines = render(width).flatMap((line) => foldTo(line, width))
    const text = joinSafe(lines.slice(0, rows), safe`${eraseLine}\n`)
    isWriting = true
    await sink.write(safe`${home}${text}${eraseLine}${eraseBelow}`).finally(() => (isWriting = false))
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
