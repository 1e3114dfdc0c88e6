/** Long texts wherever an answer has text: see `long-text.test.ts`. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asSafeText } from '../../src/io/text/safe-text.ts'
import { WordWrap } from '../../src/terminal/word-wrap.ts'
import { longTexts, places } from '../helpers/hostile-length.ts'
import { cutAt, render } from '../helpers/markdown.ts'
import { pairs, samples } from '../helpers/samples.ts'

/** Beyond all limits of the renderer. */
const size = 33_000

test.each(pairs(longTexts, places).map(([[what, make], [where, place]]) => [what, where, place(make(size))] as const))(
  '%s in %s',
  async (what, _where, text) => {
    const shown = await render(text, { hasLinks: true })
    // Markdown shows nothing for blanks alone.
    expect(shown !== '' || what === 'blanks').toBe(true)
  },
)

/** Runs of one text after the other, of any length. */
const runs = fc
  .array(
    fc.tuple(
      fc.constantFrom(...longTexts),
      fc.nat({ max: 9000 }),
      fc.constantFrom('', ' ', '\n', '\n\n', '\n# ', '\n|'),
    ),
    {
      maxLength: 8,
    },
  )
  .map((all) => all.map(([[, make], length, after]) => make(length) + after).join(''))

test('any mixture of long runs is shown, however it is cut into pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      runs,
      fc.constantFrom(...places),
      fc.array(fc.nat(), { maxLength: 30 }),
      async (text, [, place], cuts) => {
        const whole = place(text)
        expect(await render(cutAt(whole, cuts))).toBe(await render(whole))
      },
    ),
    { ...samples(10), examples: [[`word ${'*'.repeat(501)}\nword word `, places[0]!, [1]]] },
  )
})

test('and wrapped between words', () => {
  fc.assert(
    fc.property(runs, fc.array(fc.nat(), { maxLength: 30 }), (text, cuts) => {
      const words = new WordWrap({ columns: () => 40 })
      const shown = cutAt(text, cuts).map((piece) => words.push(asSafeText(piece)))
      const blank = /\s/g
      expect(`${shown.join('')}${words.end()}`.replaceAll(blank, '')).toBe(text.replaceAll(blank, ''))
    }),
    samples(20),
  )
})
