/** What holds for every text, however it arrives. */

import fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { describe, expect, test } from 'vitest'
import { anyMarkdown, bare, cutAt, lines, render, type Rendering } from '../../helpers/markdown.ts'

const rendering = fc.record<Rendering>({
  columns: fc.integer({ min: 12, max: 90 }),
  hasColor: fc.boolean(),
  hasLinks: fc.boolean(),
}) as fc.Arbitrary<Rendering>

test('however the text is cut, the same bytes are printed', async () => {
  const places = fc.array(fc.nat(), { maxLength: 12 })
  const property = fc.asyncProperty(anyMarkdown, places, rendering, async (text, places, how) => {
    const whole = await render(text, how)
    expect(await render(cutAt(text, places), how)).toBe(whole)
    expect(await render(text.split(''), how)).toBe(whole)
  })
  await fc.assert(property, { numRuns: 400 })
})

test('also a text of any characters', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(text, rendering, async (text, how) => {
      expect(await render(text.split(''), how)).toBe(await render(text, how))
    }),
    { numRuns: 400 },
  )
})

describe('no letter is lost', () => {
  const letters = (text: string): string => text.replaceAll(/[^\p{L}]/gu, '')

  test('in whatever stands there', async () => {
    // What Markdown itself takes away: the names of entities, and the numbers of lists, which count on.
    const text = anyMarkdown.map((text) => text.replaceAll('&amp;', ''))
    await fc.assert(
      fc.asyncProperty(text, rendering, async (text, how) => {
        const shown = letters(bare(await render(text, { ...how, hasLinks: false })))
        expect(isWithin(letters(text.replaceAll(/\[[xX]\]/g, '')), shown)).toBeTruthy()
      }),
      { numRuns: 400 },
    )
  })
})

test('no line is wider than the terminal, code aside', async () => {
  const text = anyMarkdown.filter((text) => !/```|~~~|^.*(\t| {4})/m.test(text))
  await fc.assert(
    fc.asyncProperty(text, rendering, async (text, how) => {
      for (const line of await lines(text, how)) expect(stringWidth(line)).toBeLessThanOrEqual(how.columns ?? 80)
    }),
    { numRuns: 400 },
  )
})

/** Whether all characters of a text stand in another in the same order. */
function isWithin(text: string, other: string): boolean {
  let at = 0
  for (const character of other) if (text.startsWith(character, at)) at += character.length
  return at === text.length
}
