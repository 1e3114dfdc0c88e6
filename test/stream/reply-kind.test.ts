/** Detection of a reply's kind, which its content type may misstate. */

import { expect, test } from 'vitest'
import { kindOfReply, startOfReply } from '../../src/stream/body-sniffing.ts'

const sse = 'text/event-stream; charset=utf-8'
const json = 'application/json'
const stream = 'data: {"a":1}\n\n'

test.each([
  ['a stream that begins with a comment', sse, ': hi\n\n', 'events'],
  ['a stream that begins with a blank line', sse, '\r\n\ndata: x\n\n', 'events'],
  ['a stream sent as JSON', json, stream, 'events'],
  ['a stream sent as HTML', 'text/html', stream, 'events'],
  ['a stream with a byte order mark, sent as JSON', json, `\ufeff${stream}`, 'events'],
  ['JSON after white space', json, ' \n\t {"a":1}', 'json'],
  ['JSON sent as a stream', sse, '{"a":1}', 'json'],
  ['JSON without a content type', '', '[]', 'json'],
  ['HTML sent as a stream', sse, '\n<!DOCTYPE html>', 'html'],
  ['HTML sent as JSON', json, '<p>', 'html'],
  ['text sent as HTML', 'Text/HTML', 'Bad gateway', 'html'],
  ['text', 'text/plain', 'Bad gateway', 'text'],
  ['text that begins like an event', '', 'dat', 'text'],
  ['text sent as a stream', sse, 'Error: bad gateway\r\n', 'text'],
  ['a stream that begins with unknown fields', sse, 'error\nkey: a\ndata: {"a":1}\n\n', 'events'],
  ['text sent as JSON', json, 'Bad gateway', 'json'],
  ['nothing, without a content type', '', '', 'events'],
])('%s', (_what, contentType, text, kind) => {
  const bytes = Buffer.from(text).toString('latin1')
  expect(kindOf(contentType, [bytes])).toBe(kind)
  expect(kindOf(contentType, [...bytes])).toBe(kind)
})

test('the first line is enough: detection does not wait for more', () => {
  expect(kindOfReply('', ': keep-alive\n\n')).toBe('events')
})

function kindOf(contentType: string, reads: readonly string[]): string | undefined {
  let start = ''
  for (const read of reads) {
    start = startOfReply(start + read)
    const kind = kindOfReply(contentType, start)
    if (kind !== undefined) return kind
  }
  return kindOfReply(contentType, start, true)
}
