/** The deltas of every recorded messages stream. */

import { expect, test } from 'vitest'
import { fixture, streamNames } from '../../helpers/fixtures.ts'
import { readReply, summarize } from '../../helpers/reading.ts'

const from = 'from zai-org/GLM-4.7'
const used = 'used 9+5'
const head = [from, used]
const end = 'end end_turn'
const hello = [...head, 'text Hello', end]
const weather = 'tool 0 toolu_0 weather {"city":"Oslo"}'
const noName = 'failed: the service sent a tool call without a name'
const noCall = 'failed: the answer announced a tool call and ended without one'
const cut = [from, 'used 9+1', 'text Hello', 'failed: the stream ended before the answer was complete']

const streams: [name: string, summary: string[]][] = [
  ['plain', [...head, 'text Hello there', end]],
  ['texts-adjacent', hello],
  ['texts-apart', [...head, 'text Let me see.\n\nDone.', 'tool 1 toolu_1 weather {"city":"Oslo"}', 'end tool_use']],
  ['texts-apart-by-line-end', [...head, 'text One.\n\nTwo.', 'reasoning [redacted thinking]', end]],
  ['text-in-opening', hello],
  ['thinking', [...head, 'reasoning Let me think.', 'text Yes', end]],
  ['thinking-in-text-block', [...head, 'reasoning Let me think.', 'text Yes', end]],
  // No blank line between the second and third thinking block: a text comes between them.
  ['thinking-several', [...head, 'reasoning First.\n\nSecond.Third.', 'text Yes\n\nNo', end]],
  ['thinking-redacted', [...head, 'reasoning [redacted thinking]\n\nHm.\n\n[redacted thinking]', 'text Yes', end]],
  [
    'tool-use',
    [
      ...head,
      'text Let me see.',
      'tool 1 toolu_1 weather {"city":"Oslo"}',
      'tool 2 toolu_2 time {"zone":"CET"}',
      'end tool_use',
    ],
  ],
  ['tool-use-input-empty', [...head, 'tool 0 toolu_0 weather {}', 'tool 1 toolu_1 time {}', 'end tool_use']],
  ['tool-use-input-in-opening', [...head, weather, 'end tool_use']],
  ['tool-use-input-object', [...head, weather, 'end tool_use']],
  ['tool-use-input-exact', [...head, 'tool 0 toolu_0 weather {"id":12345678901234567890}', 'end tool_use']],
  ['tool-use-input-index-unopened', [...head, weather, 'end tool_use']],
  ['tool-use-input-null', [...head, 'tool 0 toolu_0 weather {}', 'end tool_use']],
  ['tool-use-input-unfinished', [...head, 'tool 0 toolu_0 weather {"city":"Os', 'end max_tokens']],
  ['tool-use-never-stopped', [...head, weather, 'end tool_use']],
  ['tool-use-unannounced', [...head, 'tool 0   {"city":"Oslo"}', 'end tool_use', noName]],
  ['tool-of-the-service', [...head, 'text Cold', end]],
  ['stop-announces-call', [...head, 'text Let me see.', 'end tool_use', noCall]],
  ['another-message', hello],
  [
    'surrogates-cut',
    [...head, 'reasoning Hm 😀', 'text A😀 b\ufffd', 'tool 2 toolu_0 weather {"city":"😀"}', 'end tool_use'],
  ],
  ['start-without-type-and-role', hello],
  ['start-repeated', hello],
  ['start-missing', ['text Hello', 'used undefined+5', end]],
  ['start-of-odd-shape', ['text Hello', 'used undefined+5', end]],
  ['block-never-announced', hello],
  ['block-of-odd-shape', hello],
  ['index-all-zero', [...head, 'reasoning Hm.', 'text Yes', 'tool 2 toolu_0 weather {}', 'end tool_use']],
  ['index-missing', [...head, 'reasoning Hm.', 'text Yes', end]],
  ['type-only-in-event', hello],
  ['unknown-events', hello],
  ['unknown-deltas', hello],
  ['unknown-block', hello],
  // With 4 cached tokens.
  ['unknown-keys', [from, 'used 13+5', 'text Hi', end]],
  ['done-at-end', hello],
  ['done-amid', hello],
  ['cache-within', ['from acme/large-5', 'used 2000+5', 'text Fine.', end]],
  ['usage-growing', [...head, 'text Hello', 'end end_turnend_turn']],
  ['usage-null', [from, 'text Hello', end]],
  ['stop-max-tokens', [...head, 'text Once upon', 'end max_tokens']],
  ['stop-max-tokens-all-thinking', [...head, 'reasoning First, consider', 'end max_tokens']],
  ['stop-max-tokens-nothing', [...head, 'end max_tokens']],
  ['stop-sequence', [...head, 'text Once', 'end stop_sequence']],
  ['stop-refusal', [...head, 'text Once', 'end refusal']],
  ['stop-pause-turn', [...head, 'text Once', 'end pause_turn']],
  ['stop-context-full', [...head, 'text Once', 'end model_context_window_exceeded']],
  ['stop-unknown', [...head, 'text Once', 'end bored']],
  ['end-without-message-stop', hello],
  ['end-without-stop-reason', [from, 'used 9+1', 'text Hello']],
  ['end-at-once', [from, 'used 9+1', 'failed: the reply contains no answer']],
  ['empty', [...head, end]],
  ['error-overloaded', [from, 'used 9+1', 'failed: Overloaded']],
  ['error-after-thinking', [from, 'used 9+1', 'reasoning Hm.', 'failed: Internal server error']],
  ['error-after-text', [from, 'used 9+1', 'text Once upon', 'failed: Overloaded']],
  ['error-only-in-event', [from, 'used 9+1', 'failed: Out of memory']],
  ['error-only-in-data', [from, 'used 9+1', 'failed: Out of memory']],
  ['truncated', cut],
  ['truncated-between-blocks', cut],
  ['truncated-event', cut],
  [
    'truncated-thinking',
    [from, 'used 9+1', 'reasoning Hm.', 'failed: the stream ended before the answer was complete'],
  ],
  [
    'truncated-tool-use',
    [from, 'used 9+1', 'tool 0 toolu_0 weather {"city":12', 'failed: the stream ended before the answer was complete'],
  ],
  ['multi-byte', [...head, 'text Grüße, 日本語 👩‍🚀 e\u0301', end]],
]

test.each(streams)('%s', async (name, expected) => {
  expect(summarize(await readReply('messages', [fixture(name, 'messages')]))).toEqual(expected)
})

test('every recorded stream is in the table', () => {
  expect(streams.map(([name]) => name).sort()).toEqual(streamNames('messages'))
})

const whole: [file: string, summary: string[]][] = [
  [
    'whole.json',
    [...head, 'reasoning Let me think.', 'text Hello there', 'tool 2 toolu_2 weather {"city":"Oslo"}', 'end tool_use'],
  ],
  ['whole-bare.json', ['reasoning [redacted thinking]', 'text Hello', 'tool 2  time {}', end]],
  ['whole-text.json', ['text Hello', end]],
  ['whole-nothing.json', ['failed: the reply contains no answer']],
  ['whole-error.json', ['failed: The model is busy.']],
]

test.each(whole)('%s, not streamed', async (file, expected) => {
  expect(summarize(await readReply('messages', [fixture(file, 'messages')], 'application/json'))).toEqual(expected)
})
