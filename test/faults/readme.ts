/** README.md of this folder, generated from the table. */

import { axes } from './axes.ts'
import { keyFor, outcomeFor, type Case, type Expected } from './table.ts'
import { operations } from './operations.ts'
import { pairs } from './pairs.ts'
import { titleOf, type ProcessCase } from './process.ts'
import { processAxes } from './processes.ts'
import { narrow } from './processes/narrow.ts'
import { signals } from './processes/signals.ts'
import { exitOf } from './waiting.ts'

const introduction = `# Faults

What \`syn\` does under every fault. This page is generated from the table that the tests run: \`npm run faults\`.

- Operations: ${operations.map(({ name }) => `\`${name}\``).join(', ')}.
- Words and hint: part of the error or notice and of its hint; "none": standard error has none.
- Requests: those to the operation's own path. "+ retries": one more for each retry. In brackets: what else is requested.
- \`npm test\` tries each case with the operations that have an outcome of their own, and bodies and ends of streams with all;
  others with one operation, or one each of streamed answers, answers with \`--no-stream\` and other replies; of the statuses
  without a hint or a retry some. \`npm run test:long\` tries all with all.
- Everything below Pairs runs as a process: \`npm test\` tries standard streams, limits, signals and narrow terminals, of cases
  that are alike a share, and none that a test of one command asserts too; \`npm run test:long\` tries all. What needs more rights or fewer is named, and skipped without them; nothing else is.
- Kept: what is on standard output, or in the file of \`-o\`.

In every case: no internal error, no stack trace, the key in no output, each line of standard error starts with \`syn:\` or
\`hint:\`, and the exit status is one of those in syn(1).
`

const header = ['| case | operations | exit | words | hint | requests | kept |', '|---|---|---|---|---|---|---|']

export function readme(): string {
  const sections = axes.map(
    ({ title, cases }) => `## ${title}\n\n${[...header, ...cases.flatMap(rowsOf)].join('\n')}\n`,
  )
  const processes = processAxes.map(
    ({ title, cases }) => `## ${title}\n\n${[...processHeader, ...cases.map(processRow)].join('\n')}\n`,
  )
  return [introduction, ...sections, pairsSection(), ...processes, signalsSection(), narrowSection()].join('\n')
}

const groupNames: Readonly<Record<string, string>> = {
  streams: 'streamed answers',
  wholes: 'answers with `--no-stream`',
  answers: 'answers',
  replies: 'other replies',
}

const processHeader = [
  '| case | command line | exit | words | hint | requests | printed |',
  '|---|---|---|---|---|---|---|',
]

function processRow(one: ProcessCase): string {
  const { exit, words, hint, requests = 1, out = exit === 0 ? 'Hello\n' : '' } = one.outcome
  const printed = typeof out === 'string' ? JSON.stringify(out) : String(out)
  const reply = one.reply === undefined ? '' : ` (${one.reply} reply)`
  return row([
    cell(titleOf(one)),
    code(one.line) + reply,
    String(exit),
    words === undefined ? 'none' : cell(words),
    hint === undefined ? 'none' : cell(hint),
    String(requests),
    out === '' ? 'nothing' : code(printed),
  ])
}

function signalsSection(): string {
  const rows = signals.map((one) =>
    row([one.signal, one.name, String(exitOf(one)), one.out === '' ? 'nothing' : one.out]),
  )
  const head = ['| signal | state | exit | printed |', '|---|---|---|---|']
  return `## Signals\n\nThe first signal ends the run, without a message.\n\n${[...head, ...rows].join('\n')}\n`
}

function narrowSection(): string {
  const rows = narrow.map(({ argv, exit, words }) => row([code(`syn ${argv.join(' ')}`), String(exit), code(words)]))
  const head = ['| command line | exit | words, without spaces |', '|---|---|---|']
  return `## A terminal of one column\n\n${[...head, ...rows].join('\n')}\n`
}

/** A row for each outcome. */
function rowsOf(one: Case): string[] {
  const { name, outcomes } = one
  const used = new Set(operations.map((operation) => keyFor(outcomes, operation)))
  const keys = Object.keys(outcomes).filter((key) => used.has(key))
  return keys.map((key) => {
    const others = keys.length > 1 ? 'all others' : 'all'
    const who = key === 'all' ? others : (groupNames[key] ?? `\`${key}\``)
    return row([cell(name), who, ...outcomeCells(outcomes[key] as Expected)])
  })
}

function outcomeCells(expected: Expected): string[] {
  const { exit, words, hint, requests = 1, isRetried = false, besides = [], kept } = expected
  const also = besides.length === 0 ? '' : ` [${besides.map((path) => `\`${path}\``).join(', ')}]`
  return [
    String(exit),
    words === undefined ? 'none' : cell(words.trim()),
    hint === undefined ? 'none' : cell(hint),
    `${requests}${isRetried ? ' + retries' : ''}${also}`,
    kept ?? (exit === 0 ? 'the answer' : 'nothing'),
  ]
}

function pairsSection(): string {
  const rows = pairs.map(({ operation, one, framing, encoding = 'none', interim = 'none', output }) => {
    const expected = outcomeFor(one, operation)
    return row([
      `\`${operation.name}\``,
      cell(one.name),
      framing,
      encoding,
      String(interim),
      output,
      `${expected?.exit}`,
    ])
  })
  const intro =
    'Each value of a column meets each value of every other column. The outcome is that of the case above, whatever the rest.'
  const head = [
    '| operation | case | framing | encoding | interim reply | output | exit |',
    '|---|---|---|---|---|---|---|',
  ]
  return `## Pairs\n\n${intro}\n\n${[...head, ...rows].join('\n')}\n`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Text in a cell of a Markdown table. */
function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/[<>[\]*_](?![^`]*`)/g, String.raw`\$&`)
}

/** Code in a cell, however many backquotes it has. */
function code(text: string): string {
  const visible = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return `\`\` ${visible.replaceAll('|', String.raw`\|`)} \`\``
}
