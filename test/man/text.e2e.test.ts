/** The text that `syn man` prints without man(1) is what mandoc makes of the same page. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { manText } from '../../.build/man-text.ts'
import { definitions, exampleSubsection, page, section, subsection } from '../../man/mdoc.ts'
import { manPages } from '../../man/pages.ts'
import { environment, start } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'
import { seed } from '../helpers/seed.ts'

const file = join(emptyFolder(), 'page.1')

/** Without the first and the last line, which are laid out otherwise in other versions. */
async function mandocText(source: string): Promise<string[]> {
  writeFileSync(file, source)
  const { code, out } = await start('mandoc', ['-T', 'utf8', '-O', 'width=80', file], environment()).ended
  expect(code).toBe(0)
  // Bold letters are struck twice, and underlined ones after a low line.
  return body(out.replaceAll(/.\u0008/gu, ''))
}

function body(text: string): string[] {
  return text.trimEnd().split('\n').slice(1, -1)
}

test.each([...(await manPages())])('%s', async (_file, source) => {
  expect(body(manText(source))).toEqual(await mandocText(source))
})

test('the first line names the page, and the last one the version', () => {
  const lines = manText(page('syn-x', 'try it', { date: 'November 1, 2026', version: '0.1.0' }, [])).split('\n')
  expect([lines[0], lines.at(-2)]).toEqual([
    'SYN-X(1)                     General Commands Manual                    SYN-X(1)',
    'syn-cli 0.1.0                   November 1, 2026                   syn-cli 0.1.0',
  ])
})

const words =
  'a the ask tab-separated well-known-thing A-B o-é a-1 x- -m --flag - @file {{.}} … · \\n ~/.x ^ `code` .dot \'q "quoted" ' +
  "'it' (see this.) e.g. ... end. End. what? wow! 3.) [x]. “so” https://example.com/a-b-c"

test('any text in paragraphs, lists and examples', async () => {
  const word = fc.constantFrom(...words.split(' '))
  const text = (maxLength: number) => fc.array(word, { minLength: 1, maxLength }).map((all) => all.join(' '))
  const display = fc.tuple(text(5), text(3)).map(([one, other]) => `  ${one}\n  \n  ${other}\tx\ty`)
  const paragraphs = fc
    .array(fc.oneof(text(40), display), { minLength: 1, maxLength: 3 })
    .map((all) => all.join('\n\n'))
  const terms = fc.dictionary(fc.oneof(text(1), text(12)), text(40), { minKeys: 1, maxKeys: 3 })
  const list = fc.tuple(fc.constantFrom('Li', 'Pa', 'Ev', 'Ar'), terms).map(([kind, rows]) => definitions(kind, rows))
  const parts = fc.tuple(paragraphs, list, list, paragraphs, text(5))
  await fc.assert(
    fc.asyncProperty(parts, async ([some, one, other, more, line]) => {
      const source = page('syn-x', 'try it', { date: 'November 1, 2026', version: '0.1.0' }, [
        section('ONE', some, one, more),
        subsection('Below it', other, some),
        section('TWO', other),
        exampleSubsection([[line, line]]),
      ])
      expect(body(manText(source))).toEqual(await mandocText(source))
    }),
    { seed, ...samples(50) },
  )
})

test.each([
  '.Em word',
  '.It Em word',
  '.Op Fl x Em word',
  '.Bl -bullet',
  '.Bl -tag -width Ds -compact',
  '.Bd -filled',
  '.br',
  'a \\fBbold\\fR word',
  'a \\(em dash',
  'the end \\',
])('%s is refused: it would be missing in the text', (line) => {
  expect(() => manText(`.Sh NAME\n${line}\n`)).toThrow(/unknown (macro|escape)/)
})
