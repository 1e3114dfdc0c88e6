/** Properties of any text, in any pieces. */

import fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../helpers/any-character.ts'
import { anyMarkdown, bare, cellsOf, cutAt, lines, render, rendered, type Rendering } from '../../helpers/markdown.ts'
import { samples } from '../../helpers/samples.ts'

const rendering = fc.record<Rendering>({
  columns: fc.integer({ min: 12, max: 90 }),
  hasColor: fc.boolean(),
}) as fc.Arbitrary<Rendering>

test('the output does not depend on how the text is cut', async () => {
  const cuts = fc.array(fc.nat(), { maxLength: 12 })
  const anyText = fc.oneof(anyMarkdown, fc.string({ unit: anyCharacter, maxLength: 60 }))
  const property = fc.asyncProperty(anyText, cuts, rendering, async (text, cuts, how) => {
    const whole = await render(text, how)
    expect(await render(cutAt(text, cuts), how)).toBe(whole)
    expect(await render(text.split(''), how)).toBe(whole)
  })
  const examples: [string, number[], Rendering][] = [[`word ${'*'.repeat(501)}\nword word `, [1], {}]]
  await fc.assert(property, { ...samples(30), examples })
})

test('no letter is lost', async () => {
  const letters = (text: string): string => text.replaceAll(/[^\p{L}]/gu, '')
  // Without letters that Markdown removes: entities, line breaks, labels of references, checkboxes.
  const text = anyMarkdown.map((text) => text.replaceAll(/&amp;|\]:|<br/g, '').replaceAll('[x]', '[ ]'))
  await fc.assert(
    fc.asyncProperty(text, rendering, async (text, how) => {
      const shown = letters(bare(await render(text, how)))
      expect(containsInOrder(letters(text), shown)).toBeTruthy()
    }),
    samples(30),
  )
})

test('no address is broken, wherever it stands', async () => {
  // The letter is nowhere else, so that every part of an address is found.
  const address = fc.integer({ min: 1, max: 90 }).map((length) => `https://${'Q'.repeat(length)}.QQ/Q`)
  const wraps: ((address: string) => string)[] = [
    (address) => address,
    (address) => `(${address}).`,
    (address) => `[a b](${address})`,
    (address) => `file:${address.slice('https:'.length)}`,
    (address) => `\n\n[b]: ${address}中文 "c"\n\n[b]`,
    (address) => `\n\n|a|${address}|\n|-|-|\n|b (${address})|c ${address} d|\n\n`,
    (address) => `\n\n> - |a|\n>   |-|\n>   |${address}中文|\n\n`,
  ]
  const addresses = fc.array(fc.tuple(fc.constantFrom(...wraps), address, fc.nat()), { minLength: 1, maxLength: 4 })
  const property = fc.asyncProperty(
    anyMarkdown,
    addresses,
    fc.array(fc.nat()),
    rendering,
    async (random, all, cuts, how) => {
      let text = random.replaceAll('Q', 'q')
      for (const [wrap, address, at] of all) {
        const lines = text.split('\n')
        lines[at % lines.length] += ` ${wrap(address)}`
        text = lines.join('\n')
      }
      for (const line of bare(await render(cutAt(text, cuts), how)).split('\n')) {
        expect(line.replaceAll(/(?:https|file):\/\/Q+\.QQ\/Q/g, '')).not.toMatch(/Q|(?:https|file):\/*$/)
      }
    },
  )
  await fc.assert(property, samples(30))
})

test('the borders of any table stand below each other', async () => {
  const words = ['a', 'word', '中文', 'x\u200by', '👩‍👩‍👧‍👦', '🏳️‍🌈', '⚠️', '❤️', '1️⃣', 'e\u0301', '🇳🇴', '①', '**⚠️**']
  const cell = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((all) => all.join(' '))
  const row = fc.tuple(cell, cell, cell).map((cells) => `|${cells.join('|')}|`)
  const rows = fc.array(row, { minLength: 2, maxLength: 5 })
  const indent = fc.constantFrom('', '> ', '  ')
  const property = fc.asyncProperty(
    rows,
    indent,
    fc.integer({ min: 36, max: 70 }),
    async ([head, ...body], indent, columns) => {
      const table = [head, '|-|:-:|-:|', ...body].map((line) => indent + line)
      const shown = cellsOf(await rendered([indent === '  ' ? '- a' : '', '', ...table].join('\n'), { columns }))
      const drawn = shown.slice(shown.findIndex((cells) => cells.includes('┌')))
      const borders = drawn.map((cells) =>
        cells.flatMap((text, column) => (/^[│┌┬┐├┼┤└┴┘]$/.test(text) ? [column] : [])),
      )
      expect(borders).toEqual(drawn.map(() => borders[0]))
      const last = borders[0]?.at(-1) ?? 0
      expect(
        drawn
          .flatMap((cells) => cells.slice(last + 1))
          .join('')
          .trim(),
      ).toBe('')
    },
  )
  await fc.assert(property, samples(15))
})

test('no line is wider than the terminal, except code, HTML, formulas and words that are longer than a line', async () => {
  // In the last part of the pattern: an address with spaces is one word.
  const text = anyMarkdown.filter((text) => !/```|~~~|^.*(\t| {4})|\$\$|\\\[|<[a-z!?/]|\]\(</im.test(text))
  await fc.assert(
    fc.asyncProperty(text, rendering, async (text, how) => {
      for (const line of await lines(text, how)) {
        const [longWord = ''] = /^(?:[│ ]|[•◦▪☐☑] |\d+[.)] )*\S+/.exec(line) ?? []
        const { columns = 80 } = how
        if (stringWidth(longWord) <= columns) expect(stringWidth(line)).toBeLessThanOrEqual(columns)
      }
    }),
    samples(30),
  )
})

/** Whether another text contains all characters of a text in the same order. */
function containsInOrder(text: string, other: string): boolean {
  let at = 0
  for (const character of other) if (text.startsWith(character, at)) at += character.length
  return at === text.length
}
