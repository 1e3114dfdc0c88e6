/** Code blocks: shown as written, to be copied, and colored line by line. */

import { describe, expect, test } from 'vitest'
import { loadHighlighter } from '../../../src/terminal/markdown/highlight.ts'
import { languageOf, languages } from '../../../src/terminal/markdown/languages.ts'
import type { Theme } from '../../../src/terminal/markdown/theme.ts'
import { bare, lines, render } from '../../helpers/markdown.ts'

describe('code is shown as written', () => {
  const long = 'x'.repeat(100)

  test.each<[title: string, markdown: string, shown: string[]]>([
    ['long lines are not wrapped', `\`\`\`\n${long}\n\`\`\``, [long]],
    ['indents, tabs and blank lines', '```\n\n  a\n\n\tb\n```', ['', '  a', '', '\tb']],
    ['the info string above', '```sh title=x\nls\n```', ['sh title=x', 'ls']],
    ['never closed', '```\na', ['a']],
    ['indented', 'a\n\n    b\n\n      c\n\nd', ['a', '', 'b', '', '  c', '', 'd']],
  ])('%s', async (_title, markdown, shown) => {
    expect(await lines(markdown)).toEqual(shown)
  })

  test('without styling, the fences are kept', async () => {
    const text = 'a\n\n```ts\nlet b\n```\n\nc\n'
    expect(await render(text, { hasColor: false })).toBe(text)
  })
})

describe('colors', () => {
  test.each<[language: string, line: string, shown: string]>([
    ['ts', 'const a = "b" // c', '{95:const} a = {32:"b"} {90:// c}'],
    ['py', 'def f(a): return 1', '{95:def} {94:f}(a): {95:return} {33:1}'],
    ['', 'a b', '{33:a b}'],
  ])('of %s', async (language, line, shown) => {
    expect(colored((await render(`\`\`\`${language}\n${line}\n\`\`\``)).split('\n').at(language === '' ? 0 : 1))).toBe(
      shown,
    )
  })

  test.each<[what: string, language: string, code: string[], shown: string[]]>([
    ['a comment', 'ts', ['/* a', 'let b', 'c */ let d'], ['{90:/* a}', '{90:let b}', '{90:c */} {95:let} d']],
    [
      'a script',
      'html',
      ['<script>', 'let a = 1 /*', 'b */', '</script>', 'c'],
      ['{95:<script>}', '{95:let} a = {33:1} {90:/*}', '{90:b */}', '{95:</script>}', 'c'],
    ],
  ])('continue over the lines of %s', async (_what, language, code, shown) => {
    const written = await render(`\`\`\`${language}\n${code.join('\n')}\n\`\`\``)
    expect(written.split('\n').slice(1, -1).map(colored)).toEqual(shown)
  })

  test('a very long line stays plain', async () => {
    const line = `let a = "${'b'.repeat(3000)}"`
    expect(await render(`\`\`\`ts\n${line}\nlet c\n\`\`\``)).toContain(`\n${line}\n`)
  })
})

const theme = { syntax: (scope) => (text) => `<${scope}:${text}>` } as Theme

test.each([
  ['rust', '/* '.repeat(20)],
  ['bash', '$("'.repeat(160)],
])('comments in comments and strings in strings are not colored for ever: %s', async (name, line) => {
  const highlight = await loadHighlighter(name, theme)
  const colored = Array.from({ length: 10 }, () => highlight(line))
  expect(colored[0]).not.toBe(line)
  expect(colored.slice(-5)).toEqual(Array(5).fill(line))
})

describe('languages', () => {
  const names = Object.entries(languages).flatMap(([name, { aliases }]) => [name, ...(aliases?.split(' ') ?? [])])

  test('have unique names', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  test('can be loaded, and color code without changing it', async () => {
    const code = 'if (a < 1) { return "x" } # <b class="c">\n// 1.5 & \'d\'\n'
    for (const name of Object.keys(languages))
      expect(bare(await render(`~~~${name}\n${code}~~~`))).toBe(`${name}\n${code}`)
  })

  test.each([
    ['C++', 'cpp'],
    ['c#', 'csharp'],
    ['{.python .numberLines}', 'python'],
    ['nosuchlanguage', undefined],
    ['constructor', undefined],
  ])('%j is %s', (info, language) => {
    expect(languageOf(info)).toBe(language)
  })
})

/** Foreground colors by their number: `{95:const} a`. */
function colored(line = ''): string {
  // oxlint-disable-next-line no-control-regex
  return line.replaceAll(/\u001b\[(\d+)m(.*?)\u001b\[39m/g, '{$1:$2}')
}
