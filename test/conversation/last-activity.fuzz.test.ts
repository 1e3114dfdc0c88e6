/** The time of the last activity, read from a conversation's file. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Conversation } from '../../src/conversation/conversation.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { logContent } from '../helpers/conversations.ts'
import { samples } from '../helpers/samples.ts'

function activityIn(text: string): string | undefined {
  const { lastActivity: time } = new Conversation('x', logContent(text).entries)
  return time === undefined ? undefined : new Date(time).toISOString()
}

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString()
const header = { type: 'conversation', at: at(0), version: 1, id: 'x' }
const turn = (minute: number, content = 'hi'): object => {
  return { type: 'turn', at: at(minute), id: `t${minute}`, messages: [{ role: 'user', content }] }
}
const answer = (minute: number): object => ({ type: 'answer', at: at(minute), id: 'a', parent: 't' })
const part = (text = 'Hi'): object => ({ type: 'part', answer: 'a', deltas: [{ type: 'text', index: 0, text }] })
const end = (minute: number, content = 'Hi'): object => {
  return {
    type: 'end',
    at: at(minute),
    answer: 'a',
    choices: [{ index: 0, message: { content }, finish_reason: null }],
  }
}
const name = (minute: number): object => ({ type: 'name', at: at(minute), name: 'x' })
const head = (minute: number): object => ({ type: 'head', at: at(minute) })

const lines = (...entries: object[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
const imitation = `"at":"${at(59)}"} {"type":"end","at":"${at(59)}","answer":"a"}\n{"type":"end","at":"${at(59)}"}`
const long = `${imitation} ${'wörter '.repeat(30_000)}`

describe('is the time', () => {
  test.each<[what: string, text: string, minute: number]>([
    ['of the end', lines(header, turn(1), answer(2), part(), end(3)), 3],
    ['of the turn', lines(header, turn(1)), 1],
    ['of the answer that got no end', lines(header, turn(1), answer(2), part(), part()), 2],
    ['of the last of many', lines(header, turn(1), answer(2), end(3), turn(4), answer(5), end(6)), 6],
    ['of the turn before a new name', lines(header, turn(1), answer(2), end(3), name(9)), 3],
    ['of a turn that was undone later', lines(header, turn(1), answer(2), end(3), head(9)), 3],
    ['of a long end', lines(header, turn(1), answer(2), end(3, long)), 3],
    ['of a long turn, with a name behind it', lines(header, turn(1, long), name(9)), 1],
    ['of an answer before a thousand parts', lines(header, turn(1), answer(2), ...Array(1000).fill(part())), 2],
    ['of an answer before long parts', lines(header, turn(1), answer(2), part(long), part(long)), 2],
    ['in a last line without its end', lines(header, turn(1), answer(2), end(3)).trimEnd(), 3],
    ['before a damaged line', `${lines(header, turn(1), answer(2), end(3))}{"type":"turn","a\n\u0000\n`, 3],
    ['behind a damaged line', `${lines(header, turn(1))}{"type":"part","answ${lines(end(3))}`, 3],
    ['behind a damaged part', `${lines(header, turn(1), part()).trimEnd().slice(0, -9)}${lines(turn(3))}`, 3],
    ['before an invalid time', lines(header, turn(1), { ...end(3), at: 'noon' }), 1],
    [
      'in another format',
      `${lines(header, turn(1))}{ "id": "t3", "messages": [], "type": "turn", "at": "${at(3)}" }`,
      3,
    ],
    ['before what is not known here', lines(header, turn(1), { type: 'vote', at: at(9) }), 1],
    ['and none that a text imitates', lines(header, turn(1, imitation), answer(2), part(imitation)), 2],
  ])('%s', (_what, text, minute) => {
    expect(activityIn(text)).toBe(at(minute))
  })
})

test.each([
  ['nothing', ''],
  ['ends of lines', '\n'.repeat(5000)],
  ['noise', 'noise'],
  ['a beginning', lines(header)],
  ['a name', lines(header, name(1))],
])('there is no activity in %s', (_what, text) => {
  expect(activityIn(text)).toBe(undefined)
})

test('for lines of any length, it is that of the last turn or answer', () => {
  const minute = fc.nat(59)
  const content = fc.tuple(fc.string({ unit: anyCharacter }), fc.nat(9000)).map(([text, times]) => text.repeat(times))
  const activity = fc.oneof(
    fc.tuple(minute, content).map(([time, text]) => turn(time, text)),
    minute.map(answer),
    fc.tuple(minute, content).map(([time, text]) => end(time, text)),
  )
  const other = fc.oneof(minute.map(name), minute.map(head), content.map(part))
  const property = fc.property(
    fc.array(fc.oneof(activity, other)),
    activity,
    fc.array(other),
    (before, last, after) => {
      expect(activityIn(lines(header, ...before, last, ...after))).toBe((last as { at: string }).at)
    },
  )
  fc.assert(property, samples(5))
})
