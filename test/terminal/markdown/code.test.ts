/** Code blocks: shown as written, to be copied, and colored line by line. */

import { describe, expect, test } from 'vitest'
import { languageOf, languages } from '../../../src/terminal/markdown/languages.ts'
import { bare, lines, render } from '../../helpers/markdown.ts'

describe('code is shown as written', () => {
  const long = 'x'.repeat(100)

  test.each<[title: string, markdown: string, shown: string[]]>([
    ['long lines are not wrapped', `\`\`\`\n${long}\n\`\`\``, [long]],
    ['indents, tabs and blank lines', '```\n\n  a\n\n\tb\n```', ['', '  a', '', '\tb']],
    ['marks', '```\n# *a* &lt; [b](c)\n```', ['# *a* &lt; [b](c)']],
    ['the info string above', '```sh title=x\nls\n```', ['sh title=x', 'ls']],
    ['blank lines around it', 'a\n```\nb\n```\nc', ['a', '', 'b', '', 'c']],
    ['tildes', '~~~\n```\n~~~', ['```']],
    ['a longer fence holds a shorter one', '````\n```\n````', ['```']],
    ['a fence with an info string does not close', '```\n``` a\n```', ['``` a']],
    ['never closed', '```\na', ['a']],
    ['an indented fence', '  ```\n   a\n b\n  ```', [' a', 'b']],
    ['indented', 'a\n\n    b\n\n      c\n\nd', ['a', '', 'b', '', '  c', '', 'd']],
    ['not a fence', '``a`` b', ['a b']],
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
    ['json', '{"a": [true, 1.5]}', '{{94:"a"}: [{95:true}, {33:1.5}]}'],
    ['diff', '+a', '{32:+a}'],
    ['', 'a b', '{33:a b}'],
    ['nosuchlanguage', 'a b', '{33:a b}'],
  ])('of %s', async (language, line, shown) => {
    expect(colored((await render(`\`\`\`${language}\n${line}\n\`\`\``)).split('\n').at(language === '' ? 0 : 1))).toBe(
      shown,
    )
  })

  test.each<[what: string, language: string, code: string[], shown: string[]]>([
    ['a comment', 'ts', ['/* a', 'let b', 'c */ let d'], ['{90:/* a}', '{90:let b}', '{90:c */} {95:let} d']],
    ['a string', 'py', ['"""a', 'def', '"""', 'def'], ['{32:"""a}', '{32:def}', '{32:"""}', '{95:def}']],
    ['a template', 'js', ['`a', '${1}', 'b` + 1'], ['{32:`a}', '{32:${}{33:1}{32:}}', '{32:b`} + {33:1}']],
    ['a tag', 'html', ['<a', 'b="c">'], ['{95:<a}', '{94:b}{95:=}{32:"c"}{95:>}']],
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

  test('a comment of a thousand lines', async () => {
    const code = ['/*', ...Array.from({ length: 1000 }, () => 'let a'), '*/ let b']
    const written = (await render(`\`\`\`ts\n${code.join('\n')}\n\`\`\``)).split('\n').map(colored)
    expect(written.slice(-3)).toEqual(['{90:let a}', '{90:*/} {95:let} b', ''])
  })

  test('a very long line stays plain', async () => {
    const line = `let a = "${'b'.repeat(3000)}"`
    expect(await render(`\`\`\`ts\n${line}\nlet c\n\`\`\``)).toContain(`\n${line}\n`)
  })

  test.each([
    ['parentheses in Lisp', 'clojure', '('],
    ['comments in Rust', 'rust', '/*'],
  ])('thousands of %s within each other', async (_what, language, opening) => {
    const code = `${opening.repeat(480 / opening.length)}\n`.repeat(20)
    expect(bare(await render(`~~~${language}\n${code}~~~`))).toBe(`${language}\n${code}`)
  })
})

describe('languages', () => {
  const names = Object.entries(languages).flatMap(([name, { aliases }]) => [name, ...(aliases?.split(' ') ?? [])])

  test('have unique names', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(Object.keys(languages))('%s can be loaded, and colors code without changing it', async (name) => {
    const code = 'if (a < 1) { return "x" } # <b class="c">\n// 1.5 & \'d\'\n'
    expect(bare(await render(`~~~${name}\n${code}~~~`))).toBe(`${name}\n${code}`)
  })

  test.each([
    ['ts', 'typescript'],
    ['C++', 'cpp'],
    ['c#', 'csharp'],
    ['{.python .numberLines}', 'python'],
    ['js title=a.py', 'javascript'],
    ['nosuchlanguage', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%j is %s', (info, language) => {
    expect(languageOf(info)).toBe(language)
  })
})

/** Foreground colors by their number: `{95:const} a`. */
function colored(line = ''): string {
  // oxlint-disable-next-line no-control-regex
  return line.replaceAll(/\u001b\[(\d+)m(.*?)\u001b\[39m/g, '{$1:$2}')
}
