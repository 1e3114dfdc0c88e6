/** Replies with status 200 that are not what was asked for. */

import { goodBody, type Operation } from '../operations.ts'
import type { Axis, Expected, Fault } from '../cases.ts'

const mebibyte = 1024 * 1024

const page = '<html><head><title>Oops</title></head><body><h1>Sorry, we are down</h1></body></html>'
const tooDeep = 'the service sent JSON nested more than 500 levels deep'
const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`

function body(content: string | Uint8Array, type?: string): Fault {
  return { answer: () => ({ body: [content], ...(type !== undefined && { headers: { 'content-type': type } }) }) }
}

/** A stream with this between its first piece of text and the others. */
function amid(content: string | Uint8Array): Fault {
  return {
    answer: ({ parts: { start, text, more, finish, done } }: Operation) => ({
      body: [start + text, content, more + finish + done],
    }),
  }
}

/** A stream that starts with this. */
function before(content: string | Uint8Array): Fault {
  return { answer: (operation) => ({ body: [content, goodBody(operation)] }) }
}

const checkBaseUrl = 'check the base URL: syn config get base-url'
const sorry = {
  answers: failed('the service sent text instead of an answer: Sorry, we are down'),
  replies: failed('the service sent text instead of JSON: Sorry, we are down'),
}
const whole: Expected = { exit: 0 }
const empty: Expected = { exit: 6, words: 'the service sent an empty reply' }
const oops: Expected = { exit: 6, words: 'Model is on fire' }

const ended: Expected = { exit: 6, words: 'the stream ended before the answer was complete', isRetried: true }

function cut(words: string): Expected {
  return { exit: 7, words: `the answer was cut short: ${words}`, kept: 'the text received' }
}

function failed(words: string, hint?: string): Expected {
  return { exit: 6, words, ...(hint !== undefined && { hint }) }
}

/** The errors of replies that are JSON, but not of the expected shape. */
function noReply(quoted: string) {
  return {
    embed: failed('a reply without embeddings'),
    models: failed('the reply is not a model list', 'use syn models --json'),
    search: failed('the reply has no list of results', 'use --json'),
    'count-tokens': failed(`the reply contains no token count: ${quoted}`),
  }
}

export const bodies: Axis = {
  title: 'Body of a reply with status 200',
  dependsOn: 'operation',
  cases: [
    {
      name: '2 MiB of white space',
      fault: body('\n'.repeat(2 * mebibyte)),
      outcomes: {
        answers: failed('the service sent more than 1 MiB of white space instead of an answer'),
        replies: empty,
        quota: failed('the reply is larger than the limit of 1 MiB'),
        'count-tokens': failed('the reply is larger than the limit of 1 MiB'),
      },
    },
    {
      name: 'error object before any text',
      fault: before('data: {"error":{"message":"Model is on fire"}}\n\n'),
      outcomes: { streams: oops },
    },
    {
      name: 'overload before any text',
      fault: before('data: {"error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'),
      outcomes: { streams: { exit: 6, words: 'Overloaded', isRetried: true } },
    },
    {
      name: 'error object after some text',
      fault: amid('data: {"error":{"message":"Model is on fire"}}\n\n'),
      outcomes: { streams: cut('Model is on fire') },
    },
    {
      name: 'error object in place of the reply',
      fault: body('{"error":{"message":"Model is on fire"}}', 'application/json'),
      outcomes: { all: oops },
    },
    {
      name: 'web page',
      fault: body(page, 'text/html'),
      outcomes: {
        answers: failed('the service sent a web page instead of an answer: Oops: Sorry, we are down', checkBaseUrl),
        // The endpoint may be at its other path.
        search: {
          ...failed('the service sent a web page instead of JSON: Oops: Sorry, we are down', checkBaseUrl),
          requests: 2,
        },
        all: failed('the service sent a web page instead of JSON: Oops: Sorry, we are down', checkBaseUrl),
      },
    },
    {
      name: 'plain text',
      fault: body('Sorry, we are down', 'text/plain'),
      outcomes: sorry,
    },
    {
      name: 'text named an event stream',
      fault: body('Sorry, we are down', 'text/event-stream'),
      outcomes: sorry,
    },
    {
      name: 'text named JSON',
      fault: body('Sorry, we are down', 'application/json'),
      outcomes: { ...sorry, answers: failed('the service sent invalid JSON: Sorry, we are down') },
    },
    {
      name: 'nothing',
      fault: body(''),
      outcomes: {
        streams: ended,
        wholes: failed('the reply contains no answer'),
        replies: empty,
      },
    },
    {
      name: 'truncated JSON',
      fault: { answer: ({ parts }) => ({ body: [parts.text.slice(0, parts.text.length / 2)] }) },
      outcomes: { wholes: failed('invalid JSON'), replies: failed('invalid JSON') },
    },
    {
      name: 'an event of truncated JSON',
      fault: amid('data: {"id":"a","choi\n\n'),
      outcomes: { streams: cut('the service sent invalid JSON: {"id":"a","choi') },
    },
    {
      name: '`{}`',
      fault: body('{}', 'application/json'),
      outcomes: {
        answers: failed('the reply contains no answer'),
        quota: { exit: 0, words: 'no subscription: the service reports no quota', kept: 'nothing' },
        ...noReply('{}'),
      },
    },
    {
      name: '`[]`',
      fault: body('[]', 'application/json'),
      outcomes: {
        answers: failed('the service sent [] instead of a JSON object'),
        search: { exit: 0, words: 'no results', kept: 'nothing' },
        embed: failed('a reply without embeddings'),
        'count-tokens': failed('the reply contains no token count: []'),
        quota: failed('the reply is not a quota record: []'),
      },
    },
    {
      name: '`null`',
      fault: body('null', 'application/json'),
      outcomes: {
        answers: failed('the service sent null instead of a JSON object'),
        ...noReply('null'),
        quota: failed('the reply is not a quota record: null'),
      },
    },
    {
      name: 'JSON nested 20,000 deep',
      fault: body(nested, 'application/json'),
      outcomes: { all: failed(tooDeep) },
    },
    {
      name: 'events that are no objects',
      fault: amid('data: null\n\ndata: 1\n\ndata: []\n\ndata: "x"\n\ndata: true\n\n'),
      outcomes: { streams: whole },
    },
    {
      name: 'events without data',
      fault: amid('data:\n\nevent: x\n\n: comment\n\nid: 7\n\nretry: 1\n\ndata\n\n'),
      outcomes: { streams: whole },
    },
    {
      name: 'byte order mark',
      fault: before('\uFEFF'),
      outcomes: { all: whole },
    },
    {
      name: 'lines that end with CR LF',
      fault: { answer: (operation) => ({ body: [goodBody(operation).replaceAll('\n', '\r\n')] }) },
      outcomes: { all: whole },
    },
    {
      name: 'invalid UTF-8 in an event',
      fault: amid(Buffer.from('data: {"id":"\xff\xfe\xc3"}\n\n', 'latin1')),
      outcomes: { streams: whole },
    },
    {
      name: 'nothing but invalid UTF-8',
      fault: body(Buffer.from('\xff\xfe\xc3\x28', 'latin1')),
      outcomes: { wholes: failed('invalid JSON'), replies: failed('text instead of JSON') },
    },
  ],
}
