/** Encodings, chunks and replies before the reply, which change nothing unless they are broken. */

import { deflateRawSync, gzipSync } from 'node:zlib'
import { contentType, goodBody } from '../operations.ts'
import type { Axis, Case, Expected, Fault } from '../cases.ts'
import { encoders, framings, wire, type Encoding, type Response } from '../wire.ts'

const mebibyte = 1024 * 1024

const whole: Expected = { exit: 0 }

function good(response: Omit<Response, 'body'>): Fault {
  return { answer: (operation) => ({ body: [goodBody(operation)], ...response }) }
}

function named(encoding: string): Fault {
  return good({ headers: { 'content-encoding': encoding } })
}

const neutral: Case[] = [
  ...framings.map((framing) => ({
    name: framing === 'bytes' ? 'chunked one byte at a time' : `body delimited by ${framing}`,
    fault: good({ framing }),
    outcomes: { all: whole },
  })),
  ...(Object.keys(encoders) as Encoding[]).map((encoding) => ({
    name: `${encoding}, one byte at a time`,
    fault: good({ encoding, framing: 'bytes' }),
    outcomes: { all: whole },
  })),
  ...[100, 103].map((status) => ({
    name: `${status} that was not requested`,
    fault: good({ interim: [status] }),
    outcomes: { all: whole },
  })),
]

export const encoding: Axis = {
  title: 'Encoding and framing',
  dependsOn: 'group',
  cases: [
    ...neutral,
    { name: 'identity', fault: named('identity'), outcomes: { all: whole } },
    {
      name: 'an unknown encoding',
      fault: named('zstd'),
      outcomes: { all: { exit: 6, words: 'the service sent an unsupported content encoding: zstd' } },
    },
    {
      name: 'gzip of far more than text can be',
      fault: {
        answer: () => ({ headers: { 'content-encoding': 'gzip' }, body: [gzipSync(Buffer.alloc(4 * mebibyte, '\n'))] }),
      },
      outcomes: {
        answers: { exit: 6, words: 'the service sent more than 1 MiB of white space instead of an answer' },
        quota: { exit: 6, words: 'the reply is larger than the limit of 1 MiB' },
        'count-tokens': { exit: 6, words: 'the reply is larger than the limit of 1 MiB' },
        all: { exit: 6, words: 'the service sent a reply that is compressed more than 1,000 to 1' },
      },
    },
    {
      name: 'gzip that is not compressed',
      fault: named('gzip'),
      outcomes: { all: { exit: 6, words: 'the reply could not be decompressed' } },
    },
    {
      name: 'truncated gzip',
      fault: {
        answer: (operation) => ({
          headers: { 'content-encoding': 'gzip' },
          body: [gzipSync(goodBody(operation)).subarray(0, 20)],
        }),
      },
      outcomes: { all: { exit: 6, words: 'the reply was truncated', isRetried: true } },
    },
    {
      name: 'deflate without the zlib header',
      fault: {
        answer: (operation) => ({
          headers: { 'content-encoding': 'deflate' },
          body: [deflateRawSync(goodBody(operation))],
        }),
      },
      outcomes: { all: { exit: 6, words: 'the reply could not be decompressed' } },
    },
    {
      name: 'a chunk size that is no number',
      fault: {
        answer: (operation) => [
          ...wire({ headers: { 'content-type': contentType(operation) }, body: [] }).slice(0, 1),
          'zz\r\n',
        ],
      },
      outcomes: { all: { exit: 6, words: 'the reply is not HTTP', hint: 'check the base URL' } },
    },
    {
      name: '101 that was not requested',
      fault: { answer: () => ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'] },
      outcomes: { all: { exit: 6, words: '101' } },
    },
  ],
}
