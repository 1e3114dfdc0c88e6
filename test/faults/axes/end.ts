/** Streams with an unusual end. */

import { goodBody, type Operation } from '../operations.ts'
import type { Axis, Expected } from '../cases.ts'

const cut: Expected = {
  exit: 7,
  words: 'the answer was cut short: the stream ended before the answer was complete',
  kept: 'the text received',
}
const started: Expected = { exit: 6, words: 'the stream ended before the answer was complete', isRetried: true }
const whole: Expected = { exit: 0 }
const nothing: Expected = { exit: 6, words: 'the reply contains no answer' }

/** A stream of some parts of the good one. */
function stream(body: (parts: Operation['parts']) => string) {
  return { answer: ({ parts }: Operation) => ({ body: [body(parts)] }) }
}

export const end: Axis = {
  title: 'End of a stream',
  dependsOn: 'operation',
  cases: [
    {
      name: 'no finish reason',
      fault: stream(({ start, text, more, done }) => start + text + more + done),
      outcomes: { streams: whole },
    },
    {
      name: 'no `[DONE]`, no `message_stop`',
      fault: stream(({ start, text, more, finish }) => start + text + more + finish),
      outcomes: { streams: whole },
    },
    {
      name: 'neither finish reason nor `[DONE]`',
      fault: stream(({ start, text }) => start + text),
      outcomes: { streams: cut },
    },
    {
      name: 'no line end after the last event',
      fault: { answer: (operation) => ({ body: [goodBody(operation).trimEnd()] }) },
      outcomes: { streams: whole },
    },
    {
      name: 'cut in an event',
      fault: stream(({ start, text, more }) => start + text + more.slice(0, more.length / 2)),
      outcomes: { streams: cut },
    },
    {
      name: 'nothing but the start',
      fault: stream(({ start }) => start),
      outcomes: { streams: started },
    },
    {
      name: 'nothing but `[DONE]`',
      fault: stream(() => 'data: [DONE]\n\n'),
      // Messages do not end with it.
      outcomes: { messages: started, streams: nothing },
    },
    {
      name: 'garbage after the end',
      fault: { answer: (operation) => ({ body: [`${goodBody(operation)}data: {"oops\n\n`] }) },
      outcomes: { streams: whole },
    },
    {
      name: 'an error after the end',
      fault: { answer: (operation) => ({ body: [`${goodBody(operation)}data: {"error":"Oops"}\n\n`] }) },
      outcomes: { streams: whole },
    },
    {
      name: 'an error in place of the end',
      fault: stream(({ start, text, finish }) => `${start}${text}${finish}data: {"error":"Oops"}\n\n`),
      outcomes: { streams: { exit: 7, words: 'the answer was cut short: Oops', kept: 'the text received' } },
    },
  ],
}
