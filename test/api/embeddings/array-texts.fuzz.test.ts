/** The text of each embedding in a reply is that which JSON.parse reads, whatever the reply looks like. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readArrayTexts } from '../../../src/api/embeddings/decode.ts'
import { isObject } from '../../../src/io/json/json.ts'
import { samples } from '../../helpers/samples.ts'

const space = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  ')
const number = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '1e-5', '-1E+2', '0.10', '123456789012345678901', '-1.2345678901234567e-8'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
)
const string = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value)),
  fc.constantFrom(String.raw`"\"embedding\":[1,2]"`, String.raw`"\\"`, String.raw`"\\\""`, '"]"', '"}"', '"[{"', '""'),
)
const otherName = fc.oneof(string, fc.constantFrom('"index"', '"object"', '"__proto__"', '"data"', '"embedding"'))

/** Parts between brackets, with space around each. */
function inBrackets([open, close]: [string, string], parts: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  return fc.tuple(parts, fc.infiniteStream(space)).map(([all, spaces]) => {
    const next = (): string => spaces.next().value as string
    return `${open}${next()}${all.map((part) => `${part}${next()}`).join(`,${next()}`)}${close}`
  })
}

function member(name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(name, space, space, value).map(([one, before, after, other]) => `${one}${before}:${after}${other}`)
}

const numbers = inBrackets(['[', ']'], fc.array(number, { maxLength: 5 }))
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(string, number, fc.constantFrom('true', 'false', 'null'), numbers),
    inBrackets(['[', ']'], fc.array(tie('value'), { maxLength: 3 })),
    inBrackets(['{', '}'], fc.array(member(otherName, tie('value')), { maxLength: 3 })),
  ),
}))

/** Members that may come twice, so that of each name the last one counts. */
function objectWith(names: string[], wanted: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const known = member(fc.constantFrom(...names), wanted)
  return inBrackets(['{', '}'], fc.array(fc.oneof(known, known, member(otherName, value)), { maxLength: 5 }))
}

const item = objectWith(['"embedding"', String.raw`"\u0065mbedding"`], fc.oneof(numbers, numbers, value))
const data = inBrackets(['[', ']'], fc.array(item, { maxLength: 4 }))
const reply = fc
  .tuple(space, objectWith(['"data"', String.raw`"d\u0061ta"`], data), space)
  .map((parts) => parts.join(''))

test('any reply', () => {
  fc.assert(
    fc.property(reply, (text) => {
      const parsed = (JSON.parse(text) as { data?: unknown }).data
      fc.pre(Array.isArray(parsed) && parsed.every(isObject))
      const texts = readArrayTexts(text)
      expect(texts.length).toBe(parsed.length)
      const verbatim = text.replace(/\s/g, '')
      for (const [at, { embedding }] of parsed.entries()) {
        if (!Array.isArray(embedding)) expect(texts[at]).toBeUndefined()
        else if (embedding.every((one) => typeof one === 'number')) {
          expect(texts[at]).toMatch(/^\[[-+.,\deE]*\]$/)
          expect(JSON.parse(texts[at] ?? '')).toEqual(embedding)
          expect(verbatim).toContain(texts[at])
        }
      }
    }),
    samples(150),
  )
})
