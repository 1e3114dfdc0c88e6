/** The deltas of every recorded chat stream. */

import { expect, test } from 'vitest'
import { fixture, streamNames } from '../../helpers/fixtures.ts'
import { readChat, summarize } from '../../helpers/reading.ts'

const from = 'from zai-org/GLM-4.7'
const used = 'used 9+5'
const hello = [from, 'text Hello', 'end stop', used]
const weather = 'tool 0 call_a weather {"city":"Oslo"}'
const noName = 'failed: the service sent a tool call without a name'
const noCall = 'failed: the answer announced a tool call and ended without one'
const broken = 'failed: the stream ended before the answer was complete'

const streams: [name: string, summary: string[]][] = [
  ['plain', [from, 'text Hello there', 'end stop', used]],
  ['model-named-late', hello],
  ['reasoning-content', [from, 'reasoning Let me think.', 'text Yes', 'end stop', used]],
  ['reasoning', [from, 'reasoning Let me think.', 'text Yes', 'end stop', used]],
  ['reasoning-twice', [from, 'reasoning Let me think.', 'text Yes', 'end stop', used]],
  ['content-null', [from, 'text Hi', 'end stop', used]],
  ['content-parts-then-text', [from, 'text Hi you two', 'end stop', used]],
  ['surrogates-cut', [from, 'reasoning Hm 😀', 'text A😀 end', 'end stop', used]],
  ['surrogates-alone', [from, 'text A\ufffd b\ufffdc\ufffd', 'end stop', used]],
  ['choices-interleaved', [from, '1: text Good day', 'text Hello', '1: end stop', 'end length', used]],
  ['choices-without-index', [from, 'text Hello', '1: text Good day', 'end stop', '1: end stop', used]],
  ['choices-counted', [from, 'text Wh', '1: text isper', '2: text  it', '3: end stop', used, broken]],
  ['usage-in-last-chunk', [from, 'text Hi', 'end stop', used]],
  ['usage-in-choice', [from, 'text Hi', 'end stop', used]],
  ['usage-growing', [from, used, 'text Hi', 'end stop']],
  ['tools-by-index', [from, weather, 'tool 1 call_b time {"zone":"CET"}', 'end tool_calls', used]],
  ['tools-index-missing', [from, weather, 'end tool_calls', used]],
  ['tools-several-without-index', [from, weather, 'tool 1 call_b time {"zone":"CET"}', 'end tool_calls', used]],
  [
    'tools-index-same',
    [from, weather, 'tool 1 call_b time {"zone":"CET"}', 'tool 2 call_c time {}', 'end tool_calls', used],
  ],
  ['tools-index-from-one', [from, 'tool 1 call_a weather {}', 'end tool_calls', used]],
  ['tools-id-missing', [from, 'tool 0  weather {}', 'tool 1  time {}', 'end tool_calls', used]],
  ['tools-name-repeated', [from, weather, 'end tool_calls', used]],
  [
    'tools-arguments-object',
    [from, 'tool 0 call_a weather {"city":"Oslo","id":12345678901234567890}', 'end tool_calls', used],
  ],
  ['tools-arguments-twice', [from, weather, 'end tool_calls', used]],
  ['tools-arguments-after-empty', [from, weather, 'end tool_calls', used]],
  ['tools-name-in-pieces', [from, weather, 'end tool_calls', used]],
  ['tools-name-growing', [from, weather, 'end tool_calls', used]],
  ['tools-heads-index-same', [from, weather, 'tool 1 call_b time {"zone":"CET"}', 'end tool_calls', used]],
  ['tools-head-index-of-other', [from, weather, 'tool 1 call_b time {"zone":"CET"}', 'end tool_calls', used]],
  ['tools-empty-then-another', [from, 'tool 0  now {}', 'tool 1  weather {"city":"Oslo"}', 'end tool_calls', used]],
  [
    'tools-without-ids-index-same',
    [from, 'tool 0  weather {"city":"Oslo"}', 'tool 1  time {"zone":"CET"}', 'end tool_calls', used],
  ],
  [
    'tools-id-same',
    [from, 'tool 0 get weather {"city":"Oslo"}', 'tool 1 get weather {"city":"Rome"}', 'end tool_calls', used],
  ],
  ['tools-rest-index-unopened', [from, 'tool 1 call_a weather {"city":"Oslo"}', 'end tool_calls', used]],
  [
    'tools-arguments-no-object',
    [from, 'tool 0 call_a weather [{"city":"Oslo"}]', 'tool 1 call_b time {}', 'end tool_calls', used],
  ],
  ['tools-name-missing', [from, 'tool 0 call_a  {"city":"Oslo"}', 'end tool_calls', used, noName]],
  ['another-answer', ['from zai-org/GLM-4.7', 'text Hello', 'end stop', used]],
  ['ids-by-chunk', hello],
  ['complaint-after-text', [from, 'text Once upon', 'failed: Output data may contain inappropriate content.']],
  ['finish-length-then-stop', [from, 'text Once upon', 'end lengthstop', used]],
  [
    'finish-malformed-call',
    [
      from,
      'text Once upon',
      'end function_call_filter: MALFORMED_FUNCTION_CALL',
      'failed: the service aborted the answer (function_call_filter: MALFORMED_FUNCTION_CALL)',
    ],
  ],
  ['function-call', [from, 'tool 0  weather {"city":"Oslo"}', 'end function_call', used]],
  ['refusal', [from, "refusal I can't help with that.", 'end stop', used]],
  ['logprobs', [from, 'text Hi!', 'end stop', used]],
  ['unknown-keys', [from, 'text Hi!', 'end stop', used]],
  ['finish-never', [from, 'text Hello']],
  ['finish-announces-call', [from, 'text Let me look that up.', 'end tool_calls', used, noCall]],
  ['finish-length', [from, 'text Once upon', 'end length', used]],
  ['finish-length-all-reasoning', [from, 'reasoning First, consider', 'end length', used]],
  ['finish-length-nothing', [from, 'end length', used]],
  ['finish-content-filter', [from, 'text Once upon', 'end content_filter', used]],
  ['finish-abort', [from, 'text Once upon', 'end abort', 'failed: the service aborted the answer']],
  ['finish-abort-at-once', [from, 'end abort', 'failed: the service aborted the answer']],
  ['error-string', [from, 'failed: Error from inference backend: worker restarted']],
  ['error-object', ['failed: The model is busy.']],
  ['error-event', ['failed: Overloaded']],
  ['error-event-text', ['failed: upstream went away']],
  ['error-after-text', [from, 'text Once upon a', 'failed: Error from inference backend: worker restarted']],
  ['error-event-after-text', [from, 'text Once upon', 'failed: Out of memory']],
  ['error-null', [from, 'text Hi', 'end stop', used]],
  ['byte-order-mark', hello],
  ['comment-as-data', hello],
  ['multi-byte', [from, 'text Grüße, 日本語 👩‍🚀 e\u0301', 'end stop', used]],
  ['done-missing', hello],
  ['last-event-open', hello],
  ['truncated', [from, 'text Hello', broken]],
  ['truncated-reasoning', [from, 'reasoning Hello', broken]],
  ['truncated-event', [from, 'text Hello', broken]],
  ['only-done', ['failed: the reply contains no answer']],
]

test.each(streams)('%s', async (name, expected) => {
  expect(summarize(await readChat([fixture(name)]))).toEqual(expected)
})

test('every recorded stream is in the table', () => {
  expect(streams.map(([name]) => name).sort()).toEqual(streamNames())
})

const whole: [file: string, contentType: string, summary: string[]][] = [
  ['whole.json', 'application/json', [from, 'reasoning Let me think.', 'text Hello there', 'end stop', used]],
  [
    'whole-abort.json',
    'application/json',
    [from, 'reasoning Let me think.', 'text Hello there', 'end abort', used, 'failed: the service aborted the answer'],
  ],
  ['whole-error.json', 'application/json', ['failed: The model is busy.']],
]

test.each(whole)('%s, not streamed', async (file, contentType, expected) => {
  expect(summarize(await readChat([fixture(file)], contentType))).toEqual(expected)
})

test('each element of a list that is not streamed is a call, also with the id of another', async () => {
  const call = (given: string): object => ({ id: 'get', type: 'function', function: { name: 'get', arguments: given } })
  const message = { role: 'assistant', content: null, tool_calls: [call('{}'), call('{"a":1}')] }
  const reply = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
  const reading = await readChat([Buffer.from(reply)], 'application/json')
  expect(summarize(reading)).toEqual(['tool 0 get get {}', 'tool 1 get get {"a":1}', 'end tool_calls'])
})
