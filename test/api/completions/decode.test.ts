/** The deltas of every recorded text completion. */

import { expect, test } from 'vitest'
import { fixture, streamNames } from '../../helpers/fixtures.ts'
import { readReply, summarize } from '../../helpers/reading.ts'

const from = 'from zai-org/GLM-4.7'
const used = 'used 4+3'
const there = [from, 'text  there', 'end stop', used]
const thereWas = [from, 'text  there was', 'end stop', used]
const thought = [from, 'reasoning Which story?', 'text  there', 'end stop', used]

const streams: [name: string, summary: string[]][] = [
  ['plain', thereWas],
  ['usage-in-last-chunk', there],
  ['text-null', there],
  ['choices-empty', there],
  ['index-missing', thereWas],
  ['choices-interleaved', [from, 'text  sky is blue', '1: text  sea', '1: end length', 'end stop', used]],
  ['finish-never', [from, 'text  there was']],
  ['finish-length', [from, 'text  there was', 'end length', used]],
  ['finish-length-nothing', [from, 'end length', used]],
  ['finish-length-all-reasoning', [from, 'reasoning Which story', 'end length', used]],
  ['finish-content-filter', [from, 'text  there', 'end content_filter', used]],
  ['finish-abort', [from, 'text  there', 'end abort', 'failed: the service aborted the answer']],
  ['reasoning', thought],
  ['reasoning-content', thought],
  ['logprobs', [from, 'text  there was', 'end stop', used]],
  ['logprobs-echo', [from, 'text Once upon a', 'end length', used]],
  ['unknown-keys', there],
  ['error-string', ['failed: Error from inference backend: worker restarted']],
  ['error-object-after-text', [from, 'text  there', 'failed: The model is busy.']],
  ['error-event-after-text', [from, 'text  there', 'failed: Out of memory']],
  ['truncated', [from, 'text  there', 'failed: the stream ended before the answer was complete']],
  ['done-missing', there],
  ['multi-byte', [from, 'text  Grüße, 日本語 👩‍🚀', 'end stop', used]],
  ['only-done', ['failed: the reply contains no answer']],
]

test.each(streams)('%s', async (name, expected) => {
  expect(summarize(await readReply('completions', [fixture(name, 'completions')]))).toEqual(expected)
})

test('every recorded stream is in the table', () => {
  expect(streams.map(([name]) => name).sort()).toEqual(streamNames('completions'))
})

test.each<[file: string, summary: string[]]>([
  ['whole.json', [from, 'text  sky', 'end stop', '1: text  sea', '1: end length', used]],
  // Positions replace missing indexes, and a whole choice has ended.
  ['whole-sparse.json', [from, 'text  sky', 'end stop', '1: reasoning Hm.', '1: text  sea', '1: end stop']],
])('%s, not streamed', async (file, expected) => {
  expect(summarize(await readReply('completions', [fixture(file, 'completions')], 'application/json'))).toEqual(
    expected,
  )
})
