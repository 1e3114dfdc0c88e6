/** The question before a tool runs, under all of the call, or what is hidden of it. */

import type { Sink } from '../io/io.ts'
import { linesOf, noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { turn } from '../io/time/abort.ts'
import { boundaryFrom } from '../terminal/graphemes.ts'
import { layOutText } from '../terminal/line-editor/layout.ts'
import { cutTo, widthOf } from '../terminal/width.ts'

/** Who is asked before a call, and told what came of it. */
export interface ToolUser {
  /** How long "always" holds. */
  readonly scope: 'run' | 'chat'
  /** Shows what the question is about, and what came of the call. */
  readonly sink: Sink
  /** Asks for one of the keys. @returns `undefined` for any other. @throws if the user ends the run. */
  askKey(question: SafeText, keys: string): Promise<string | undefined>
  /** Tells what came of a call that the user was not asked about, in one line. */
  notify(text: string): Promise<void>
}

/** Rows after the first are indented, so that none looks like words of syn. */
const indent = safe`  `

/** In rows: what may stand below the question in the chat: the status, queued messages and the prompt. */
const rowsBelow = 6

/** In rows: the start of a call, what is hidden, and the end. */
const leastRows = 3

/** In columns. */
const longestLabel = 60

/**
 * Shows a call, and asks whether it may run: only when all of it has been shown, and `always` only when it is in sight.
 * @param args As `visible` makes them.
 * @returns `y`, `a`, or anything else if it may not.
 * @throws as `askKey`; the signal's reason
 */
export async function askAboutCall(
  label: SafeText,
  args: string,
  { sink, scope, askKey }: ToolUser,
  signal: AbortSignal,
): Promise<string | undefined> {
  const run = safe`Run ${cutTo(label, longestLabel)}?`
  const question = safe`${run} [y]es, [n]o, [a]lways in this ${sanitizeName(scope)}`
  const text = `The model calls ${label} ${args}`
  // In the last column, terminals differ in where the cursor is.
  const columns = Math.max(1, sink.columns() - indent.length - 1)
  const questionRows = Math.ceil((widthOf(question) + 1) / sink.columns())
  const most = Math.max(leastRows, (sink.window?.rows ?? 24) - rowsBelow - questionRows)
  const rowsNear = (cursor: number) => layOutText(text, cursor, most * columns, { columns, indent: 0 }).rows
  const rows = rowsNear(0)
  if (rows.length <= most && rows.at(-1)?.end === text.length) {
    await writeRows(rows, sink)
    return askKey(question, 'yna')
  }
  const start = rows.slice(0, Math.ceil((most - 1) / 2))
  const end = rowsNear(text.length - 1).slice(start.length + 1 - most)
  const hidden = (end[0]?.start ?? text.length) - (start.at(-1)?.end ?? 0)
  await writeRows(start, sink)
  await sink.write(safe`… ${hidden} characters hidden · v shows all\n`)
  await writeRows(end, sink, indent)
  if ((await askKey(safe`${run} [v]iew all, [n]o`, 'vn')) === 'n') return 'n'
  // A y was too early: it is asked for again, as no other key runs the call.
  for (let from = 0, to = 0; from < text.length; from = to) {
    await turn(signal)
    to = boundaryFrom(text, from + 10_000)
    const part = text.slice(from, to)
    await writeRows(layOutText(part, 0, part.length, { columns, indent: 0 }).rows, sink, from === 0 ? noText : indent)
  }
  return askKey(safe`${run} [y]es, [n]o`, 'yn')
}

/** @param lead Before the first row. */
function writeRows(rows: readonly { readonly text: string }[], sink: Sink, lead = noText): Promise<void> {
  return sink.write(linesOf(rows.map(({ text }, at) => safe`${at === 0 ? lead : indent}${sanitizeName(text)}`)))
}
