/** Limits of the system: file sizes, open files, memory. */

import { node } from '../../helpers/program.ts'
import type { ProcessAxis, ProcessCase } from '../process.ts'

/** Node opens files of its own, and how many differs by version: these are for the Node that runs the tests. */
const openFiles = node === process.execPath ? [18] : []

export const limits: ProcessAxis = {
  title: 'Limits of the system',
  cases: [
    {
      name: '`ulimit -f 0` with -o',
      line: 'ulimit -f 0; syn chat -o a hi; code=$?; echo a*; exit $code',
      outcome: { exit: 1, out: 'a*\n', words: 'cannot write a: file too large' },
    },
    {
      name: '`ulimit -f 1` with -o',
      line: 'ulimit -f 1; syn chat -o a hi',
      reply: 'long',
      outcome: { exit: 1, words: 'cannot write', hint: 'the output so far is kept in a.partial' },
    },
    {
      name: '`ulimit -f 0` and a setting is stored',
      // Three times: where the signal ends the run, it does so in two of three.
      line: 'ulimit -f 0; for run in 1 2 3; do syn config set retries 1; code=$?; [ $code = 1 ] || break; done; exit $code',
      outcome: { exit: 1, words: 'config.json', requests: 0 },
    },
    {
      name: '`ulimit -f 1`, and the output is larger',
      line: 'ulimit -f 1; syn completion bash > a; code=$?; wc -c < a; exit $code',
      outcome: { exit: 1, out: '1024\n', words: 'cannot write to standard output: file too large', requests: 0 },
    },
    // With less, Node itself does not start.
    ...openFiles.map((count): ProcessCase => ({
      name: `\`ulimit -n ${count}\``,
      line: `ulimit -n ${count}; syn chat hi`,
      outcome: { exit: 1, words: 'too many open files', hint: 'ulimit -n 256', requests: 0 },
    })),
  ],
}
