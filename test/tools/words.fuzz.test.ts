/** Words of commands with any values: no value is taken for more than one. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FailedError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/io/json/json.ts'
import { parseWords } from '../../src/tools/command-tool.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { samples } from '../helpers/samples.ts'

const special = fc.constantFrom(
  '-',
  '@',
  '.',
  '..',
  '/',
  '%2e',
  '%',
  '?',
  '#',
  '&',
  '=',
  ':',
  '\\',
  '\0',
  '{{a}}',
  ' ',
  '',
)
const text = fc
  .array(fc.oneof(special, fc.string({ unit: anyCharacter, maxLength: 3 })), { maxLength: 4 })
  .map((parts) => parts.join(''))
const args = fc.record({ a: text, b: fc.oneof(text, fc.integer(), fc.constant(null)) })

/** @returns `undefined` if a value is refused. */
function wordsWith(words: readonly string[], given: JsonObject): string[] | undefined {
  try {
    return parseWords(['x', ...words], 'command', ['a', 'b'])(given).slice(1)
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
