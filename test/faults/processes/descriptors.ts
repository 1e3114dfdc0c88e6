/** Standard streams that are closed, full, or whose reader leaves. */

import type { ProcessAxis, ProcessCase, ProcessOutcome } from '../process.ts'

const answered: ProcessOutcome = { exit: 0 }
const full: ProcessOutcome = { exit: 1, words: 'cannot write to standard output: ENOSPC' }
const left: ProcessOutcome = { exit: 141 }

/** A command line, and how many requests it sends. */
const commands: readonly (readonly [line: string, requests: number])[] = [
  ['syn chat hi', 1],
  ['syn chat --json hi', 1],
  ['syn embed -m hf:org/embedder hi', 1],
  ['syn models', 1],
  ['syn quota', 1],
  ['syn search hi', 1],
  ['syn count-tokens hi', 1],
  ['syn --help', 0],
  ['syn --version', 0],
  ['syn completion bash', 0],
  ['syn config list', 0],
]

export const descriptors: ProcessAxis = {
  title: 'Standard streams',
  cases: [
    { name: 'standard input closed', line: 'syn chat hi <&-', outcome: answered },
    {
      name: 'standard input closed, without a prompt',
      line: 'syn chat <&-',
      outcome: { exit: 2, words: 'no prompt', hint: 'syn chat', requests: 0 },
      isElsewhere: true,
    },
    {
      name: 'standard input closed, but asked for',
      line: 'syn chat - <&-',
      outcome: { exit: 2, words: 'no prompt', hint: 'syn chat', requests: 0 },
    },
    { name: 'standard input is a directory', line: 'syn chat hi < /', outcome: answered },
    {
      name: 'standard input open for writing only',
      line: 'syn chat hi 0> file',
      outcome: { exit: 2, words: 'cannot read standard input', requests: 0 },
    },
    // Inside Node a closed descriptor is /dev/null.
    { name: 'standard output closed', line: 'syn chat hi >&-', outcome: { exit: 0, out: '' } },
    { name: 'standard error closed', line: 'syn chat hi 2>&-', outcome: answered },
    {
      name: 'standard error closed, with an error',
      line: 'syn chat --temperature x 2>&-',
      outcome: { exit: 2, requests: 0 },
      isElsewhere: true,
    },
    { name: 'all streams closed', line: 'syn chat hi <&- >&- 2>&-', outcome: { exit: 0, out: '' } },
    {
      name: '/dev/null as all streams',
      line: 'syn chat hi < /dev/null &> /dev/null',
      outcome: { exit: 0, out: '' },
      isElsewhere: true,
    },
    { name: 'standard error on a full disk', line: 'syn chat --usage hi 2> /dev/full', outcome: answered },
    {
      name: 'an error on a full disk',
      line: 'syn chat --temperature x 2> /dev/full',
      outcome: { exit: 2, requests: 0 },
    },
    {
      name: '`-o /dev/full`',
      line: 'syn chat -o /dev/full hi',
      outcome: { exit: 1, words: 'cannot write /dev/full: no space left on device' },
    },
    {
      name: '`-o /dev/full` of embeddings',
      line: 'syn embed -m hf:org/embedder -o /dev/full hi',
      outcome: { exit: 1, words: 'cannot write /dev/full: no space left on device' },
      isElsewhere: true,
    },
    { name: '`-o /dev/null`', line: 'syn chat -o /dev/null hi', outcome: { exit: 0, out: '' } },
    { name: '`-o /dev/stdout`', line: 'syn chat -o /dev/stdout hi | cat', outcome: answered, isElsewhere: true },
    ...commands.map(([line, requests]): ProcessCase => ({
      name: `\`${line}\` on a full disk`,
      line: `${line} > /dev/full`,
      outcome: { ...full, requests },
      isAlike: true,
    })),
    ...commands.map(([line, requests]): ProcessCase => ({
      name: `\`${line}\`, whose reader is gone`,
      line: `${line} | true`,
      // A short output fits in the pipe before the reader leaves.
      outcome: { ...left, requests },
      isAlike: true,
    })),
    {
      name: '`| head -1` of a long answer',
      line: 'syn chat hi | head -c 4',
      reply: 'long',
      outcome: { ...left, out: 'HelH' },
      isElsewhere: true,
    },
    {
      name: '`| head -1` of a long answer in JSON Lines',
      line: 'syn chat --jsonl hi | head -1 | wc -l',
      reply: 'long',
      outcome: { ...left, out: /^ *1\n$/ },
      isElsewhere: true,
    },
    {
      name: '`| head -1` of help',
      line: 'syn chat --help | head -1',
      outcome: { exit: 0, out: 'Ask a model, or chat with it\n', requests: 0 },
    },
  ],
}
