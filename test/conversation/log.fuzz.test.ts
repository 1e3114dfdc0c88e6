import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../../src/conversation/entry.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { logContent } from '../helpers/conversations.ts'
import { samples } from '../helpers/samples.ts'

const text = fc.string({ unit: anyCharacter })
const at = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
  .map((date) => date.toISOString())
const message = fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool'), content: text })
const index = fc.nat(3)
const delta = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'reasoning', 'refusal'), index, text }),
  fc.record({ type: fc.constant('tool'), index, call: fc.nat(3), id: text, name: text, arguments: text }),
)
const choice = fc.record({ index, message, finish_reason: fc.option(text) })
const entry = fc.oneof(
  fc.record({ type: fc.constant('conversation'), at, version: fc.constant(1), id: text }),
  fc.record({ type: fc.constant('name'), at, name: text }),
  fc.record({ type: fc.constant('turn'), at, id: text, parent: text, system: text, messages: fc.array(message) }),
  fc.record({ type: fc.constant('answer'), at, id: text, parent: text, model: text }),
  fc.record({ type: fc.constant('part'), answer: text, deltas: fc.array(delta) }),
  fc.record({ type: fc.constant('end'), at, answer: text, model: text, choices: fc.array(choice), error: text }),
) as fc.Arbitrary<Entry>

const answer: Entry = { type: 'answer', at: '', id: 'a', parent: 't' }

function line(one: Entry): string {
  return `${JSON.stringify(one)}\n`
}

/** Objects with a prototype, as JSON.parse makes them: fast-check's records have none. */
function plain(entries: readonly Entry[]): unknown {
  return JSON.parse(JSON.stringify(entries))
}

test('written entries are read back', () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const { entries: read, damaged, unknown } = logContent(entries.map(line).join(''))
      expect({ read, damaged, unknown }).toEqual({ read: plain(entries), damaged: [], unknown: [] })
    }),
    samples(12),
  )
})

test('an entry behind many objects of a damaged line is found in a moment', () => {
  const end: Entry = { type: 'end', at: '2026-11-21T10:00:00.000Z', answer: 'a1', choices: [], error: '\\"}{"' }
  for (const damage of ['{"type":"x"},'.repeat(100_000), '{"type":"'.repeat(100_000), `"${'\\"'.repeat(100_000)}`]) {
    expect(plain(logContent(`x${damage}${line(end)}`).entries)).toEqual(plain([end]))
    expect(logContent(`x${damage}\n${line(end)}`).damaged).toEqual([1])
  }
})

test('the number of a damaged line counts all lines before', () => {
  const part: Entry = { type: 'part', answer: 'a', deltas: [{ type: 'text', index: 0, text: 'word' }] }
  const parts = line(part).repeat(5000)
  const { damaged, unknown } = logContent(`${line(answer)}${parts}oops\n${parts}{"type":"vote"}\n${parts}oops`)
  expect({ damaged, unknown }).toEqual({ damaged: [5002, 15_004], unknown: [10_003] })
})

test('a part of many escapes is read', () => {
  const part: Entry = { type: 'part', answer: 'a', deltas: [{ type: 'text', index: 0, text: '\n'.repeat(1_000_000) }] }
  expect(logContent(line(answer) + line(part)).entries).toHaveLength(2)
})

test('a truncated line does not affect the others, also if another process appends to it', () => {
  fc.assert(
    fc.property(fc.array(entry), entry, fc.array(entry, { minLength: 1 }), fc.nat(), (before, cut, after, place) => {
      const whole = line(cut).trimEnd()
      // An empty line is not damaged, and neither is one that lacks only its newline.
      const part = whole.slice(0, 1 + (place % (whole.length - 1)))
      const { entries, damaged, unknown } = logContent([...before.map(line), part, ...after.map(line)].join(''))
      expect(entries).toEqual(plain([...before, ...after]))
      expect({ damaged, unknown }).toEqual({ damaged: [before.length + 1], unknown: [] })
    }),
    samples(12),
  )
})

test.each<[line: string, damaged: number[], unknown: number[]]>([
  ['', [], []],
  ['{"type":"turn"', [1], []],
  ['{"type":"turn","id":"t","messages":"hi"}', [1], []],
  ['[]', [1], []],
  ['{"type":"vote","for":"a"}', [], [1]],
  ['{"type":"constructor"}', [], [1]],
  ['\u0000\u0000\u0000', [1], []],
])('a line that is not an entry: %j', (text, damaged, unknown) => {
  const name: Entry = { type: 'name', at: '', name: 'x' }
  expect(logContent(`${text}\n${line(name)}`)).toMatchObject({ entries: [name], damaged, unknown })
})

test('an invalid part of an entry does not affect the rest', () => {
  const deltas = [{ type: 'text', index: 0, text: 'Hi' }, { type: 'text', index: 0 }, { type: 'wink', index: 0 }, 7]
  expect(logContent(`${JSON.stringify({ type: 'part', answer: 'a', deltas })}\n`).entries).toEqual([
    { type: 'part', answer: 'a', deltas: deltas.slice(0, 1) },
  ])
})
