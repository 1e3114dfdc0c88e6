/** The message of an error reply, in every known shape. */

import { expect, test } from 'vitest'
import { serviceMessage } from '../../src/stream/service-message.ts'

const long = 'This model is overloaded. '.repeat(40).trim()

test.each([
  [
    'a plain string',
    '{"error":"Your model name should start with an hf: prefix"}',
    'Your model name should start with an hf: prefix',
  ],
  ['OpenAI', '{"error":{"message":"Busy","type":"server_error","param":null,"code":null}}', 'Busy'],
  [
    'Anthropic',
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}',
    'Overloaded',
  ],
  ['an error in an error', '{"error":{"error":{"message":"Deep"}}}', 'Deep'],
  ['an error without a message', '{"error":{"code":7}}', '{"code":7}'],
  ['error before message', '{"message":"second","error":"first"}', 'first: second'],
  ['details', '{"detail":[{"loc":["body","model"],"msg":"field required"},"x"]}', 'body.model: field required; x'],
  ['JSON that says nothing known', ' {"status":"bad"} ', '{"status":"bad"}'],
  ['JSON that is no object', '[1]', '[1]'],
  [
    'HTML',
    '<html><head><title>x</title></head><body><h1>502</h1>\n<p>Bad  gateway</p></body></html>',
    'x: 502 Bad gateway',
  ],
  ['HTML with code in it', '<!doctype html><style>p{}</style><script>alert(1)</script><p>Down', 'Down'],
  ['white space', ' \n', ''],
  ['a long message, whole', JSON.stringify({ error: long }), long],
  ['long text, its beginning', long, long.slice(0, 400)],
])('%s', (_what, body, expected) => {
  expect(serviceMessage(body)).toBe(expected)
})
