/** What draws the footer: the line being edited, and the rows above it. */

import type { SafeText } from '../../io/safe-text.ts'
import type { FooterView } from './footer-layout.ts'
import type { LineView } from './layout.ts'

export interface Painter {
  /** Writes text above the footer. Resolves when there is room for more. */
  write(text: SafeText): Promise<void>
  /** Draws the footer soon. */
  show(view: FooterView): void
  /** Ends the line: what was sent stays as text. */
  keep(line: LineView): void
  /** Pushes the text above the footer into the scrollback. */
  pushScreen(): void
  /** Erases the footer, and holds all text, until `resume`. */
  pause(): void
  /** @param isElsewhere Whether the cursor is no longer where `pause` left it, but at the start of a line with an echo. */
  resume(options: { isElsewhere: boolean }): void
  /** Erases the footer for good. Text that is written later goes straight to the terminal. */
  close(): void
}
