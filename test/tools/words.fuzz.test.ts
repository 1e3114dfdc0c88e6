/** Words of commands with any values: no value is taken for more than one. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FailedError, UsageError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/io/json/json.ts'
import { parseWord } from '../../src/tools/command-tool.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { samples } from '../helpers/samples.ts'

const special = fc.constantFrom('-', '@', '.', '..', '/', '%2e', '%', '?', '#', '&', '=', ':', '\\', '\0', '{{a}}')
const text = fc
  .array(fc.oneof(special, fc.string({ unit: anyCharacter, maxLength: 3 })), { maxLength: 4 })
  .map((parts) => parts.join(''))
const args = fc.record({ a: text, b: fc.oneof(text, fc.integer(), fc.constant(null)) })

const properties = { a: {}, b: {} }

/** @returns `undefined` if a value is refused. */
function wordsWith(
  words: readonly string[],
  given: JsonObject,
  parameters: JsonObject = { properties, required: ['a', 'b'] },
): string[] | undefined {
  const fillers = words.map((_word, at) => parseWord(['x', ...words], at + 1, 'command', parameters))
  try {
    return fillers.flatMap((fill) => fill(given))
  } catch (error) {
    expect(error).toBeInstanceOf(FailedError)
    return undefined
  }
}

test('a value starts no option, and names no file after @', () => {
  fc.assert(
    fc.property(args, fc.constantFrom('{{a}}', '{{a}}{{b}}', '{{b}}', '{{a}}://{{b}}'), (given, word) => {
      for (const filled of wordsWith([word, 'end'], given)?.slice(0, -1) ?? []) {
        expect(filled).not.toContain('\0')
        if (/^[-@]/.test(filled)) expect(filled).toBe(String(given.b))
      }
    }),
    samples(2500),
  )
})

test('a value that is absent moves no word', () => {
  const word = fc.constantFrom(
    '-a',
    '{{a}}',
    '{{b}}',
    'x{{a}}',
    'x{{a}}{{b}}',
    '-a{{a}}',
    '--b={{b}}',
    'https://h/{{b}}',
  )
  const given = fc.record({ a: fc.constant('y'), b: fc.constantFrom('y', null) }, { requiredKeys: [] })
  const required = fc.subarray(['a', 'b'])
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), given, required, (words, args, names) => {
      // The end of a word says which one it is.
      const numbered = words.map((one, at) => `${one}.${at}.`)
      const parameters = { properties, required: names }
      let filled: string[] | undefined
      try {
        filled = wordsWith(numbered, args, parameters)
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError)
        expect(names.length).toBeLessThan(2)
      }
      const kept = numbered.filter((one, at) => {
        return !one.startsWith('-') && at < words.length - 1
      })
      const ends = kept.map((one) => /\.\d+\.$/.exec(one)?.[0])
      if (filled) expect(filled.map((one) => /\.\d+\.$/.exec(one)?.[0])).toEqual(expect.arrayContaining(ends))
    }),
    samples(2500),
  )
})

test('a value stays in its part of a URL', () => {
  fc.assert(
    fc.property(args, (given) => {
      const filled = wordsWith(['https://host/p/{{a}}/q/{{b}}?x={{a}}&y={{b}}#{{a}}', 'end'], given)
      if (!filled || filled.length === 1) return
      const { host, pathname, searchParams } = new URL(filled[0] ?? '')
      const steps = pathname.split('/').map(decodeURIComponent)
      const [a, b] = [given.a.toWellFormed(), String(given.b).toWellFormed()]
      expect([host, ...steps]).toEqual(['host', '', 'p', a, 'q', b])
      expect([...searchParams]).toEqual([
        ['x', a],
        ['y', b],
      ])
    }),
    samples(2500),
  )
})
