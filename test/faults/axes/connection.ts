/** Connections that fail or break. */

import { goodBody } from '../operations.ts'
import type { Axis } from '../cases.ts'
import { awaitOutput, close, reset, type Step } from '../wire.ts'

const lost = { exit: 6, words: 'connection closed', isRetried: true }
const truncated = { ...lost, words: 'the reply was truncated' }
const cut = { exit: 7, words: 'connection closed', kept: 'the text received' } as const
const checkBaseUrl = 'check the base URL: syn config get base-url'

/** Half of a text. */
function half(text: string): string {
  return text.slice(0, text.length / 2)
}

function raw(...steps: Step[]) {
  return { answer: () => steps }
}

export const connection: Axis = {
  title: 'Connection',
  dependsOn: 'group',
  cases: [
    {
      name: 'refused',
      fault: { baseUrl: () => 'http://127.0.0.1:1' },
      outcomes: { all: { exit: 6, words: 'connection refused', hint: checkBaseUrl, requests: 0, isRetried: true } },
    },
    {
      name: 'unknown host',
      fault: { baseUrl: () => 'https://host.invalid' },
      outcomes: { all: { exit: 6, words: 'could not resolve host', hint: checkBaseUrl, requests: 0 } },
    },
    {
      name: 'bad certificate',
      fault: { isSecure: true },
      outcomes: {
        all: { exit: 6, words: 'TLS certificate rejected (DEPTH_ZERO', hint: 'NODE_EXTRA_CA_CERTS', requests: 0 },
      },
    },
    {
      name: 'https to a server without TLS',
      fault: {
        baseUrl: (origin) => origin.replace('http', 'https'),
        greeting: ['HTTP/1.1 400 Bad Request\r\n\r\n', close],
      },
      outcomes: {
        all: { exit: 6, words: 'the server does not speak https on this port', hint: checkBaseUrl, requests: 0 },
      },
    },
    {
      name: 'a reply that is not HTTP',
      fault: raw('SSH-2.0-OpenSSH_9.6\r\n', close),
      outcomes: { all: { exit: 6, words: 'the reply is not HTTP', hint: checkBaseUrl } },
    },
    {
      name: 'closed without a reply',
      fault: raw(close),
      outcomes: { all: lost },
    },
    {
      name: 'closed in the headers',
      fault: raw('HTTP/1.1 200 OK\r\ncontent-type: text/ev', close),
      outcomes: { all: lost },
    },
    {
      name: 'reset before the headers',
      fault: raw(reset),
      outcomes: { all: { ...lost, words: 'connection reset' } },
    },
    {
      name: 'closed after the headers',
      fault: { answer: () => ({ body: [close] }) },
      outcomes: { all: lost },
    },
    {
      name: 'closed before any text',
      fault: { answer: ({ parts }) => ({ body: [parts.start, close] }) },
      outcomes: { streams: lost },
    },
    {
      name: 'closed in mid-stream',
      fault: { answer: ({ parts }) => ({ body: [parts.start + parts.text, close] }) },
      outcomes: { streams: cut },
    },
    {
      name: 'closed in the reply',
      fault: { answer: (operation) => ({ body: [half(goodBody(operation)), close] }) },
      outcomes: { wholes: lost, replies: lost },
    },
    {
      name: 'fewer bytes than announced',
      fault: {
        answer: (operation) => ({
          headers: { 'content-length': '100000' },
          body: [half(goodBody(operation))],
          framing: 'close',
        }),
      },
      outcomes: { wholes: truncated, replies: truncated },
    },
    {
      name: 'reset in mid-stream',
      fault: { answer: ({ parts }) => ({ body: [parts.start + parts.text, awaitOutput, reset] }) },
      outcomes: { streams: { ...cut, words: 'connection reset' } },
    },
    {
      name: 'closed after the finish reason',
      fault: { answer: ({ parts }) => ({ body: [parts.start + parts.text + parts.more + parts.finish, close] }) },
      outcomes: { streams: { exit: 0 } },
    },
    {
      name: 'reset after the end',
      fault: { answer: (operation) => ({ body: [goodBody(operation), awaitOutput, reset] }) },
      outcomes: { streams: { exit: 0 } },
    },
  ],
}
