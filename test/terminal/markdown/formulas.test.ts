/** Formulas are shown as written: their TeX is not Markdown. */

import { expect, test } from 'vitest'
import { bare, lines, render, visibleAfter, type Steps } from '../../helpers/markdown.ts'

test.each<[title: string, markdown: string, shown?: string]>([
  ['in parentheses', String.raw`a \( x_1 + y_1 \, \{a\} \) b`],
  ['in brackets', String.raw`\[ \int_0^1 x^2 \, dx \] b`],
  ['in dollars', String.raw`$a*b*c$, $x_1$ and $\{y_1\}$.`],
  ['in two dollars', '$$a*b*c = _d_$$ e'],
  ['with escaped delimiters', String.raw`$\$_a_$ \(\\(_b_\\)\)`],
  ['with emphasis around it', String.raw`**a $x*y$** *\(b*c\)*`, String.raw`a $x*y$ \(b*c\)`],
  ['not a price', '$5 and *b* $10, $ *c* $', '$5 and b $10, $ c $'],
  ['not an unclosed delimiter', String.raw`\(a *b* \[c $d`, '(a b [c $d'],
  ['not code', '`$a` *b* `$`', '$a b $'],
  ['not ending in code', 'It is **$10** or `$x`.', 'It is $10 or $x.'],
  ['not containing code', 'It costs $5; use `$HOME` in **sh** and *sh*.', 'It costs $5; use $HOME in sh and sh.'],
  ['not containing strong marks', 'It is **$a, and b** or c$', 'It is $a, and b or c$'],
  ['containing single stars', '$V^*$, $x^* + y$ and $a*b$'],
  ['not longer than the limit', `$a *b* ${'c'.repeat(300)}$`, `$a b ${'c'.repeat(300)}$`],
])('%s', async (_title, markdown, shown = markdown) => {
  expect((await lines(markdown, { columns: 400 })).join('\n')).toBe(shown)
})

test.each<[title: string, markdown: string, shown?: string]>([
  ['lines that look like blocks', '$$\n- a_1 * b *\n# c\n> d\n|e|\n1. f\n    g\n```\n===\n$$'],
  ['lines that may be table headers', '|$$\n| *a* |\nb\n$$'],
  ['between text', 'a \\[\n  b = *c*\n\\], *d*', 'a \\[\n  b = *c*\n\\], d'],
  ['that start on the line of the delimiter', '\\[ a \\\\\n  b \\] c'],
  ['wider than the terminal', `$$\n${'a *b* '.repeat(9)}c\n$$`],
  [
    'in a list and a quote',
    '- a\n  $$\n  - b\n  $$\n> \\[\n> - c\n> \\]',
    '• a\n  $$\n  - b\n  $$\n│ \\[\n│ - c\n│ \\]',
  ],
  ['up to a blank line', '$$ a =\n- *b*\n\n- *c*', '$$ a =\n- *b*\n\n• c'],
  ['not before text', '- \\[ ] a **b**\n- \\[x] c_d **e**\n- \\[[f](g)] h\\*', '• [ ] a b\n• [x] c_d e\n• [f (g)] h*'],
  ['not before a bracket or a price', '\\[a] is **b**\n*c*\n\n$$ *d*\n*e*', '[a] is b\nc\n\n$$ d\ne'],
  ['up to the end', '$$\n- *b*'],
  ['not from the middle of a line', 'a $$ b\n- *c*', 'a $$ b\n• c'],
])('of several lines %s', async (_title, markdown, shown = markdown) => {
  expect((await lines(markdown, { columns: 30 })).join('\n')).toBe(shown)
})

test.each<[title: string, steps: Steps]>([
  [
    'a formula when it closes',
    [
      ['$a ', ''],
      ['= b', ''],
      ['$ ', '$a = b$'],
      ['\\(c ', '$a = b$'],
      ['\\) ', '$a = b$ \\(c \\)'],
    ],
  ],
  [
    'a price when another follows',
    [
      ['$5 ', ''],
      ['or ', ''],
      ['$10 ', '$5 or'],
      ['a\n', '$5 or $10 a\n'],
    ],
  ],
  [
    'a formula of several lines by the line',
    [
      ['$$', ''],
      ['\n', '$$\n'],
      ['- a', '$$\n'],
      ['\n$$', '$$\n- a\n'],
      ['\nb ', '$$\n- a\n$$\nb'],
    ],
  ],
])('become visible: %s', async (_title, steps) => {
  expect(await visibleAfter(steps.map(([piece]) => piece))).toEqual(steps)
})

test.each([
  ['a formula', 'a $b *c', 'a $b *c\n'],
  ['one of several lines', '\\[\n*a*', '\\[\n*a*\n'],
])('text that ends inside %s is complete', async (_what, text, shown) => {
  expect(bare(await render(text))).toBe(shown)
})
