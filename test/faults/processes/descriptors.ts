/** Standard streams that are closed, full, or whose reader leaves. */

import type { ProcessAxis, ProcessCase, ProcessOutcome } from '../process.ts'

const answered: ProcessOutcome = { exit: 0 }
const full: ProcessOutcome = { exit: 1, words: 'cannot write to standard output: no space left on device' }
const left: ProcessOutcome = { exit: 141 }

/** A command line, and how many requests it sends: one or none. */
const commands: readonly (readonly [line: string, requests: number])[] = [
  ['syn chat --json hi', 1],
  ['syn completion bash', 0],
]

export const descriptors: ProcessAxis = {
  title: 'Standard streams',
  cases: [
    { name: 'standard input closed', line: 'syn chat hi <&-', outcome: answered },
    {
      name: 'standard input closed, but asked for',
      line: 'syn chat - <&-',
      outcome: { exit: 2, words: 'no prompt', hint: 'syn chat', requests: 0 },
    },
    {
      name: 'standard input open for writing only',
      line: 'syn chat hi 0> file',
      outcome: { exit: 2, words: 'cannot read standard input', requests: 0 },
    },
    // Inside Node a closed descriptor is /dev/null.
    { name: 'all streams closed', line: 'syn chat hi <&- >&- 2>&-', outcome: { exit: 0, out: '' } },
    { name: 'standard error on a full disk', line: 'syn chat --usage hi 2> /dev/full', outcome: answered },
    {
      name: '`-o /dev/full`',
      line: 'syn chat -o /dev/full hi',
      outcome: { exit: 1, words: 'cannot write /dev/full: no space left on device' },
    },
    ...commands.map(([line, requests]): ProcessCase => ({
      name: `\`${line}\` on a full disk`,
      line: `${line} > /dev/full`,
      outcome: { ...full, requests },
    })),
    ...commands.map(([line, requests]): ProcessCase => ({
      name: `\`${line}\`, whose reader is gone`,
      line: `${line} | true`,
      // A short output fits in the pipe before the reader leaves.
      outcome: { ...left, requests },
    })),
    {
      name: '`| head -1` of help',
      line: 'syn chat --help | head -1',
      outcome: { exit: 0, out: 'Ask a model, or chat with it\n', requests: 0 },
    },
  ],
}
