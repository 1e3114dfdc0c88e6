/** Signals, in every state that a run waits in. */

import type { WaitingCase } from '../waiting.ts'

interface State extends Omit<WaitingCase, 'signal'> {
  /** A test of one command asserts the same in `npm test`. */
  readonly isElsewhere?: true
}

const base = { waitsFor: 'request', out: '' } as const

/** What a run waits for when the signal arrives. */
const states: readonly State[] = [
  { ...base, name: 'before the headers', line: 'exec syn chat hi', reply: 'silent', isElsewhere: true },
  {
    ...base,
    name: 'in the answer',
    line: 'exec syn chat hi',
    reply: 'stalled',
    waitsFor: 'output',
    out: 'Hel',
    isElsewhere: true,
  },
  { ...base, name: 'in a reply', line: 'exec syn models', reply: 'stalled' },
  {
    ...base,
    name: 'while the reader stands still',
    line: 'exec syn chat hi > >(head -c 3 >&2; echo >&2; exec sleep 20)',
    reply: 'endless',
    waitsFor: 'standstill',
    isElsewhere: true,
  },
  {
    ...base,
    name: 'in the wait before a retry',
    line: 'exec syn chat hi < /dev/null',
    reply: 'busy',
    waitsFor: 'notice',
  },
  { ...base, name: 'while standard input is read', line: 'exec syn chat -', waitsFor: 'notice', isElsewhere: true },
  {
    ...base,
    name: 'in a key command',
    line: [
      'exec 3>&2 2> /dev/null',
      'syn config set base-url "$SYN_BASE_URL"',
      'syn config set key-command "echo ready >&2; exec sleep 20"',
      'exec 2>&3',
      'unset SYN_BASE_URL SYN_API_KEY',
      'exec syn chat hi < /dev/null',
    ].join('; '),
    waitsFor: 'notice',
    isElsewhere: true,
  },
  {
    ...base,
    name: 'while another run holds the lock',
    line: 'cd; echo hi > in.txt; mkdir out.jsonl.lock; exec syn batch in.txt -o out.jsonl',
    waitsFor: 'notice',
  },
  { ...base, name: 'between two readings of the quota', line: 'exec syn quota --watch 60', waitsFor: 'output' },
]

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Every signal in every state. */
export const signals: readonly WaitingCase[] = states.flatMap((state) => names.map((signal) => ({ ...state, signal })))

/** Those that `npm test` tries: one signal in each state that no test of one command has. */
export const everydaySignals: readonly WaitingCase[] = states
  .filter(({ isElsewhere }) => !isElsewhere)
  .map((state, at) => ({ ...state, signal: names[at % names.length] ?? names[0] }))
