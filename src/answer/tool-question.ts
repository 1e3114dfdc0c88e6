/** The question before a tool runs, under all of the call, or what is hidden of it. */

import type { Sink } from '../io/io.ts'
import { linesOf, noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { yieldIfDue } from '../io/time/abort-signal.ts'
import { boundaryFrom } from '../terminal/graphemes.ts'
import { cutTo, widthOf } from '../terminal/width.ts'
import type { Tool } from '../tools/tool.ts'
import { surelyFittingRows } from '../terminal/wrapped-width.ts'

/** The user who allows calls, and sees their results. */
export interface ToolUser {
  /** How long "always" holds. */
  readonly scope: 'run' | 'chat'
  /** Shows what the question is about, and what came of the call. */
  readonly sink: Sink
  /**
   * Asks for one of the keys, when nobody types.
   * @param question Text about the call; its last line asks, without the colon.
   * @returns `undefined` for any other key. @throws if the user ends the run.
   */
  askKey(question: SafeText, keys: string): Promise<string | undefined>
  /** Tells what came of a call that the user was not asked about, in one line. */
  notify(text: string): Promise<void>
}

/** Rows after the first are indented, so that none looks like words of syn. */
const indent = safe`  `

/** In rows: what may stand below the question in the chat: the status, queued messages and the prompt. */
const rowsBelow = 6

/** In columns. */
const longestLabel = 60

/**
 * Shows a call, and asks whether it may run: only when all of it has been shown, and `always` only when it is in sight.
 * @param tool Also says so if it is not the one that the user named.
 * @param args The arguments as `visible` shows them.
 * @returns `y`, `a`, or anything else if it may not.
 * @throws as `askKey`; the signal's reason
 */
export async function askAboutCall(
  tool: Pick<Tool, 'label' | 'change'>,
  args: SafeText,
  user: ToolUser,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { sink, scope, askKey } = user
  const label = sanitizeName(tool.label)
  const called = tool.change === undefined ? label : safe`${label}, ${sanitizeName(tool.change)},`
  const [screenRows, screenColumns] = [sink.window?.rows ?? 24, sink.columns()]
  const run = safe`Run ${cutTo(label, longestLabel)}?`
  const question = safe`${run} [y]es, [n]o, [a]lways in this ${sanitizeName(scope)}`
  const text = safe`The model calls ${called} ${args}`
  // In the last column, terminals differ in where the cursor is.
  const columns = Math.max(1, screenColumns - indent.length - 1)
  const questionRows = Math.ceil((widthOf(question) + 1) / screenColumns)
  const room = screenRows - rowsBelow - questionRows
  // A longer text needs more rows: a row has at most a character per column, of two units.
  const longest = 2 * columns * Math.max(1, room)
  const rows = surelyFittingRows(text.slice(0, longest), columns)
  if (text.length <= longest && rows.length <= room) {
    let isSmaller = false
    const compare = (): void => {
      isSmaller ||= (sink.window?.rows ?? 24) < screenRows || sink.columns() < screenColumns
    }
    sink.window?.on('resize', compare)
    const asking = askKey(safe`${indented(rows)}${question}`, 'yna')
    const key = await asking.finally(() => sink.window?.off('resize', compare))
    // Rows may have been out of sight, even if the terminal has its size again.
    return isSmaller && key !== undefined && key !== 'n' ? askAboutCall(tool, args, user, signal) : key
  }
  const [startRows, endRows] = [Math.max(0, Math.floor(room / 2)), Math.max(0, Math.ceil(room / 2) - 1)]
  const start = rows.slice(0, startRows)
  const end = surelyFittingRows(text.slice(-longest), columns).slice(-endRows || Infinity)
  const hidden = text.length - [...start, ...end].join('').length
  const part = safe`${indented(start)}… ${hidden} characters hidden · v shows all\n${indented(end, indent)}`
  if ((await askKey(safe`${part}${run} [v]iew all, [n]o`, 'vn')) === 'n') return 'n'
  // After a y, too: it came too early, and the question is repeated.
  for (let from = 0, to = 0; from < text.length; from = to) {
    await yieldIfDue(signal)
    to = boundaryFrom(text, from + 10_000)
    await sink.write(indented(surelyFittingRows(text.slice(from, to), columns), from === 0 ? noText : indent))
  }
  return askKey(safe`${run} [y]es, [n]o`, 'yn')
}

/** @param lead Before the first row. */
function indented(rows: readonly string[], lead = noText): SafeText {
  return linesOf(rows.map((row, at) => safe`${at === 0 ? lead : indent}${sanitizeName(row)}`))
}
