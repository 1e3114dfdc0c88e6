/** Retry-After under 429 and 503. */

import type { Axis, Case, Expected, Outcomes } from '../cases.ts'

/** Later than the clock of the tests. */
const inAMinute = 'Sun, 22 Nov 2026 13:00:00 GMT'
const past = 'Wed, 19 Aug 2026 20:18:41 GMT'

/** How the wait that a header asks for ends: none as it is too long, or after the usual wait. */
type Wait = 'too long' | 'the usual'

const headers: readonly (readonly [name: string, header: string | undefined, wait: Wait])[] = [
  ['none', undefined, 'the usual'],
  ['`0`', '0', 'the usual'],
  ['a date in the past', past, 'the usual'],
  ['a date in an hour', inAMinute, 'too long'],
  ['`301`', '301', 'too long'],
  ['`9` 400 times', '9'.repeat(400), 'too long'],
  ['`soon`', 'soon', 'the usual'],
  ['`0x10`', '0x10', 'the usual'],
]

function outcomesOf(status: number, wait: Wait, hasHeader: boolean): Outcomes {
  const usual: Expected = {
    exit: status === 429 ? 5 : 6,
    words: `Busy (${status} `,
    isRetried: wait !== 'too long',
    ...(wait === 'too long' && { hint: 'the service asks to retry after ' }),
  }
  // Without an hour to retry, the quota tells whether it is used up; never by asking for the quota twice.
  const asksQuota = status === 429 && !hasHeader
  return asksQuota ? { quota: usual, all: { ...usual, besides: ['/v2/quotas'] } } : { all: usual }
}

export const retryAfter: Axis = {
  title: 'Retry-After',
  dependsOn: 'nothing',
  cases: [429, 503].flatMap((status) => [
    ...headers.map(([name, header, wait]): Case => ({
      name: `${status}, ${name}`,
      fault: {
        answer: () => ({
          status,
          ...(header !== undefined && { headers: { 'retry-after': header } }),
          body: ['{"error":"Busy"}'],
        }),
      },
      outcomes: outcomesOf(status, wait, wait !== 'the usual'),
    })),
    {
      name: `${status}, \`9\` with --timeout 5`,
      fault: {
        answer: () => ({ status, headers: { 'retry-after': '9' }, body: ['{"error":"Busy"}'] }),
        argv: ['--timeout', '5'],
      },
      outcomes: outcomesOf(status, 'too long', true),
    },
  ]),
}
