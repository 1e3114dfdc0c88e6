/** What follows an answer that has arrived: its calls are run, it is taken as it is, or it is an error. */

import { expect, test } from 'vitest'
import { settle, type SettleRules } from '../../src/answer/outcome.ts'
import { Answer } from '../../src/stream/answer.ts'
import type { Delta } from '../../src/stream/delta.ts'

const index = 0
const text: Delta = { type: 'text', index, text: 'Hello' }
const thought: Delta = { type: 'reasoning', index, text: 'Hm' }
const call: Delta = { type: 'tool', index, call: 0, name: 'weather', arguments: '{}' }
const end = (reason: string, at = 0): Delta => ({ type: 'end', index: at, reason })

const cutOff = 'the answer was cut off'
const cutCall = 'the answer ended before its calls could be run'

const shown: SettleRules = { runsTools: false, mustBeWhole: false }
const kept: SettleRules = { runsTools: false, mustBeWhole: true }
const withTools: SettleRules = { runsTools: true, mustBeWhole: false }

test.each<[what: string, rules: SettleRules, deltas: Delta[], expected: string]>([
  ['a text that is shown', shown, [text, end('stop')], 'kind: whole'],
  ['a text cut off, shown', shown, [text, end('length')], 'kind: whole'],
  ['a text cut off, kept', kept, [text, end('length')], cutOff],
  [
    'a second choice cut off, kept',
    kept,
    [text, end('stop'), { ...text, index: 1 }, end('length', 1)],
    'answer 2 was cut',
  ],
  ['nothing, kept', kept, [end('stop')], 'the answer is empty'],
  ['nothing but reasoning, kept', kept, [thought, end('length')], 'the answer is empty: the reasoning used up'],
  ['a call', withTools, [call, end('tool_calls')], 'kind: calls'],
  ['a call after a text', withTools, [text, call, end('stop')], 'kind: calls'],
  ['a call that was cut off', withTools, [call, end('length')], cutOff],
  ['a call that was filtered', withTools, [text, call, end('content_filter')], cutCall],
  ['a call of another choice', withTools, [text, end('stop'), { ...call, index: 1 }, end('stop', 1)], 'kind: whole'],
])('%s', (_what, rules, deltas, expected) => {
  const answer = new Answer()
  answer.add(deltas)
  const settled = settle({ answer, operation: {}, body: { max_tokens: 5 } }, rules)
  expect(settled.kind === 'incomplete' ? settled.error.message : `kind: ${settled.kind}`).toContain(expected)
})
