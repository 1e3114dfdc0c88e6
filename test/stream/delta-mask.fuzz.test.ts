/** A key in an answer whose kinds of text and choices come in any order, cut anywhere. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secrets } from '../../src/io/secrets/secrets.ts'
import type { Delta } from '../../src/stream/delta.ts'
import { DeltaMask } from '../../src/stream/delta-mask.ts'
import { leakIn, testKey } from '../helpers/canary.ts'
import { spellings } from '../helpers/key-spellings.ts'
import { samples } from '../helpers/samples.ts'

/** The text of each kind, of each choice. */
function textsOf(deltas: readonly Delta[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const delta of deltas) {
    if (!('index' in delta) || delta.type === 'end' || delta.type === 'logprobs' || delta.type === 'thinking') continue
    const kind = delta.type === 'tool' ? `tool ${delta.call}` : delta.type
    const name = `${delta.index} ${kind}`
    texts.set(name, (texts.get(name) ?? '') + (delta.type === 'tool' ? (delta.arguments ?? '') : delta.text))
  }
  return texts
}

/** Deltas of several kinds and choices, in any order. */
const interleaved = fc.array(
  fc.tuple(fc.constantFrom('text', 'reasoning', 'refusal', 'tool'), fc.nat({ max: 1 }), fc.nat({ max: 12 })),
  { minLength: 1, maxLength: 150 },
)

test.each(Object.entries(spellings))('a key %s, interleaved with other kinds and choices', (_spelling, spelled) => {
  const written = `is ${JSON.parse(`"${spelled}"`) as string} or sk-ca`
  fc.assert(
    fc.property(interleaved, (order) => {
      const next = new Map<string, number>()
      const deltas = order.map(([type, index, size]): Delta => {
        const at = next.get(`${type}${index}`) ?? 0
        next.set(`${type}${index}`, at + size)
        const piece = written.slice(at, at + size)
        return type === 'tool' ? { type, index, call: 3, arguments: piece } : { type, index, text: piece }
      })
      const secrets = new Secrets()
      secrets.add(testKey)
      const mask = new DeltaMask(secrets)
      const given = textsOf([...deltas.flatMap((delta) => mask.take([delta])), ...mask.flush()])
      for (const [name, before] of textsOf(deltas)) {
        const after = given.get(name) ?? ''
        if (secrets.maskCut(before) === before) expect(after).toBe(before)
        else {
          expect(leakIn(after)).toBeUndefined()
          expect(after).toContain('[key]')
        }
        if (secrets.mask(before) !== before) {
          expect(after.endsWith(before.slice(before.lastIndexOf('3') + 1))).toBe(true)
        }
      }
    }),
    samples(50),
  )
})
