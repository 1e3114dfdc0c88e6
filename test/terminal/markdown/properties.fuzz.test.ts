/** Properties of any text, in any pieces. */

import fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { anyInline, anyMarkdown, bare, cutAt, lines, render, type Rendering } from '../../helpers/markdown.ts'
import { samples } from '../../helpers/samples.ts'

const rendering = fc.record<Rendering>({
  columns: fc.integer({ min: 12, max: 90 }),
  hasColor: fc.boolean(),
  hasLinks: fc.boolean(),
}) as fc.Arbitrary<Rendering>

test('the output does not depend on how the text is cut', async () => {
  const cuts = fc.array(fc.nat(), { maxLength: 12 })
  const property = fc.asyncProperty(anyMarkdown, cuts, rendering, async (text, cuts, how) => {
    const whole = await render(text, how)
    expect(await render(cutAt(text, cuts), how)).toBe(whole)
    expect(await render(text.split(''), how)).toBe(whole)
  })
  await fc.assert(property, samples(60))
})

test('nor for text of any characters', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(text, rendering, async (text, how) => {
      expect(await render(text.split(''), how)).toBe(await render(text, how))
    }),
    samples(60),
  )
})

test('nor for very long lines', async () => {
  const pieces = [
    'word ',
    '*',
    '**a ',
    '`b',
    '[c',
    '](',
    '_d_ ',
    '中文',
    '\\',
    '&',
    '<',
    '$',
    '$$',
    '\\(',
    '\\[',
    '<br',
    '/',
    'x'.repeat(900),
    '-',
    ' ',
    '👩‍🚀',
    '\n',
  ]
  const text = fc
    .array(fc.tuple(fc.constantFrom(...pieces), fc.nat({ max: 700 })), { minLength: 2, maxLength: 8, size: 'max' })
    .map((parts) => parts.map(([piece, count]) => piece.repeat(1 + Math.floor(count / piece.length))).join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(), { maxLength: 30 }), async (text, cuts) => {
      expect(await render(cutAt(text, cuts))).toBe(await render(text))
      expect(await render(text.split(''))).toBe(await render(text))
    }),
    samples(8),
  )
})

test('text in pieces is parsed like complete text', async () => {
  const property = fc.asyncProperty(anyInline, fc.boolean(), async (text, hasColor) => {
    const [paragraph, heading] = await Promise.all(
      ['', '# '].map((start) => lines(`${start}x ${text} y`, { columns: 2000, hasColor })),
    )
    expect(paragraph?.join('\n')).toBe(heading?.join('\n').replace(/^# /, ''))
  })
  await fc.assert(property, samples(150))
})

test('no letter is lost', async () => {
  const letters = (text: string): string => text.replaceAll(/[^\p{L}]/gu, '')
  // Without letters that Markdown removes: entities, line breaks, labels of references, checkboxes.
  const text = anyMarkdown.map((text) => text.replaceAll(/&amp;|\]:|<br/g, '').replaceAll('[x]', '[ ]'))
  await fc.assert(
    fc.asyncProperty(text, rendering, async (text, how) => {
      const shown = letters(bare(await render(text, { ...how, hasLinks: false })))
      expect(containsInOrder(letters(text), shown)).toBeTruthy()
    }),
    samples(60),
  )
})

test('no line is wider than the terminal, except code, HTML and formulas', async () => {
  const text = anyMarkdown.filter((text) => !/```|~~~|^.*(\t| {4})|\$\$|\\\[|<[a-z!?/]/im.test(text))
  await fc.assert(
    fc.asyncProperty(text, rendering, async (text, how) => {
      for (const line of await lines(text, how)) expect(stringWidth(line)).toBeLessThanOrEqual(how.columns ?? 80)
    }),
    samples(60),
  )
})

/** Whether another text contains all characters of a text in the same order. */
function containsInOrder(text: string, other: string): boolean {
  let at = 0
  for (const character of other) if (text.startsWith(character, at)) at += character.length
  return at === text.length
}
