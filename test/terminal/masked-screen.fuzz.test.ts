/** A key in any Markdown, in any pieces, on a terminal. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asSafeText } from '../../src/io/text/safe-text.ts'
import { Secrets } from '../../src/io/secrets/secrets.ts'
import { terminalMask } from '../../src/io/secrets/terminal-mask.ts'
import { MarkdownRenderer } from '../../src/terminal/markdown/renderer.ts'
import { leakIn, testKey } from '../helpers/canary.ts'
import { bare, cutAt, optionsOf, pushed, render } from '../helpers/markdown.ts'
import { samples } from '../helpers/samples.ts'

const secrets = new Secrets()
secrets.add(testKey)

/** One character of the key, in the ways of Markdown to write it. */
function written(character: string): fc.Arbitrary<string> {
  const code = character.charCodeAt(0)
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(character) },
    fc.constantFrom(
      `&#${code};`,
      `&#x${code.toString(16)};`,
      /[a-z\d]/i.test(character) ? character : `\\${character}`,
    ),
  )
}

const allMarks = ['*', '**', '_', '~~', '`', '``', '[', '](https://a.example)', '![', '](b)', '][', '<', '>', '\\']
const marks = fc.constantFrom(...allMarks)
/** Rare: most marks stay as characters in the key, which makes another text of it. */
const mark = fc.oneof({ weight: 40, arbitrary: fc.constant('') }, { weight: 1, arbitrary: marks })
const spelledKey = fc
  .tuple(...Array.from(testKey, (one) => fc.tuple(mark, written(one))))
  .map((all) => all.flat().join(''))
const around = fc.constantFrom(
  '',
  ' ',
  'a',
  '\n',
  '# ',
  '- ',
  '> ',
  '| ',
  '    ',
  '```\n',
  ' |\n|---|---|\n| ',
  '**',
  '`',
  '[',
)

test('no key is on the screen', async () => {
  const text = fc.array(fc.tuple(around, spelledKey, around), { minLength: 1, maxLength: 3 })
  const rendering = fc.record({ hasLinks: fc.boolean(), columns: fc.constantFrom(20, 80) })
  await fc.assert(
    fc.asyncProperty(text, rendering, fc.array(fc.nat({ max: 200 })), async (parts, how, cuts) => {
      // As it arrives: a key that is written as it is was masked in the reply.
      const markdown = secrets.mask(parts.flat().join(''))
      // Of that other text, a part may be shown.
      const unmasked = bare(await render(markdown, { ...how, columns: 1000 }))
      if (leakIn(unmasked.replaceAll(testKey, '')) !== undefined) return
      const renderer = new MarkdownRenderer(await optionsOf({ ...how, secrets }))
      const mask = terminalMask(secrets)
      let shown = ''
      for (const piece of cutAt(markdown, cuts)) shown += mask(asSafeText(await pushed(renderer, piece)))
      shown += mask(renderer.end())
      expect(leakIn(shown)).toBeUndefined()
      expect(leakIn(bare(shown))).toBeUndefined()
    }),
    samples(400),
  )
})
