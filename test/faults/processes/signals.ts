/** Signals, in states that a run waits in. */

import type { WaitingCase } from '../waiting.ts'

const base = { waitsFor: 'request', out: '' } as const

/** What a run waits for when the signal arrives. Tests of single commands have others. */
export const signals: readonly WaitingCase[] = [
  { ...base, name: 'before the headers', line: 'exec syn chat hi', reply: 'silent', signal: 'SIGINT' },
  { ...base, name: 'in a reply', line: 'exec syn models', reply: 'stalled', signal: 'SIGINT' },
  {
    ...base,
    name: 'in the wait before a retry',
    line: 'exec syn chat hi < /dev/null',
    reply: 'busy',
    waitsFor: 'notice',
    signal: 'SIGTERM',
  },
  {
    ...base,
    name: 'while another run holds the lock',
    line: 'cd; echo hi > in.txt; mkdir out.jsonl.lock; exec syn batch in.txt -o out.jsonl',
    waitsFor: 'notice',
    signal: 'SIGHUP',
  },
]
