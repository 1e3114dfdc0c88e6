/** The shapes that the body of an error has, under a status that is not retried and one that is. */

import type { Axis, Case, Fault } from '../cases.ts'
import { close, type Response, type Step } from '../wire.ts'

const page = '<!doctype html><html><head><title>x</title></head><body><h1>Out of\n order</h1></body></html>'

const shapes: readonly (readonly [name: string, body: string | Response, words: string])[] = [
  ['`{error: text}`', '{"error":"Out of order"}', 'Out of order ('],
  ['OpenAI `{error: {message}}`', '{"error":{"message":"Out of order","type":"t","code":7}}', 'Out of order ('],
  ['Anthropic `{type: error}`', '{"type":"error","error":{"type":"t","message":"Out of order"}}', 'Out of order ('],
  ['`{detail: text}`', '{"detail":"Out of order"}', 'Out of order ('],
  ['`{detail: [{loc, msg}]}`', '{"detail":[{"loc":["body","n"],"msg":"Out of order"}]}', 'body.n: Out of order ('],
  ['an error without a message', '{"error":{"code":"out_of_order"}}', '{"code":"out_of_order"} ('],
  ['plain text', 'Out of order', 'Out of order ('],
  ['a web page', page, 'Out of order ('],
  ['an event', 'data: {"error":"Out of order"}\n\n', 'Out of order'],
  ['nothing', '', 'the service returned '],
  ['`null`', 'null', '('],
  ['JSON that is truncated', '{"error":"Out of or', '{"error":"Out of or ('],
  ['a body that breaks off', { body: ['{"error":"Out of order"', close] }, 'Out of order'],
  ['compressed', { body: ['{"error":"Out of order"}'], encoding: 'gzip' }, 'Out of order ('],
  ['invalid UTF-8', { body: [Buffer.from('Out of \xff order', 'latin1')] }, 'Out of \uFFFD order ('],
]

export const errorShapes: Axis = {
  title: 'Shape of an error',
  dependsOn: 'nothing',
  cases: [
    ...shapes.map(([name, body, words]): Case => ({
      name,
      fault: faultOf(400, body),
      outcomes: { all: { exit: 1, words: wordsOf(words) } },
    })),
    {
      name: 'a web page with status 503',
      fault: faultOf(503, page),
      outcomes: { all: { exit: 6, words: 'Out of order (503 Service Unavailable)', isRetried: true } },
    },
  ],
}

/** @param words The message, which may end where the status begins. */
function wordsOf(words: string): string {
  const status = '400 Bad Request'
  if (words.endsWith('(')) return `${words}${status})`
  return words.endsWith(' ') ? words + status : words
}

function faultOf(status: number, body: string | Response): Fault {
  const response: Response = typeof body === 'string' ? { body: [body satisfies Step] } : body
  return { answer: () => ({ ...response, status }) }
}
