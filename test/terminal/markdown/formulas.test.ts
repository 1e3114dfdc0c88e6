/** Formulas are shown as written: their TeX is not Markdown. */

import { expect, test } from 'vitest'
import { lines } from '../../helpers/markdown.ts'

test.each<[title: string, markdown: string, shown?: string]>([
  ['in brackets', String.raw`\[ \int_0^1 x^2 \, dx \] b`],
  ['in dollars', String.raw`$a*b*c$, $x_1$ and $\{y_1\}$.`],
  ['with escaped delimiters', String.raw`$\$_a_$ \(\\(_b_\\)\)`],
  ['with emphasis around it', String.raw`**a $x*y$** *\(b*c\)*`, String.raw`a $x*y$ \(b*c\)`],
  ['not a price', '$5 and *b* $10, $ *c* $', '$5 and b $10, $ c $'],
  ['not containing code', 'It costs $5; use `$HOME` in **sh** and *sh*.', 'It costs $5; use $HOME in sh and sh.'],
  ['not containing strong marks', 'It is **$a, and b** or c$', 'It is $a, and b or c$'],
])('%s', async (_title, markdown, shown = markdown) => {
  expect((await lines(markdown, { columns: 400 })).join('\n')).toBe(shown)
})

test.each<[title: string, markdown: string, shown?: string]>([
  ['lines that look like blocks', '$$\n- a_1 * b *\n# c\n> d\n|e|\n1. f\n    g\n```\n===\n$$'],
  ['lines that may be table headers', '|$$\n| *a* |\nb\n$$'],
  ['between text', 'a \\[\n  b = *c*\n\\], *d*', 'a \\[\n  b = *c*\n\\], d'],
  [
    'in a list and a quote',
    '- a\n  $$\n  - b\n  $$\n> \\[\n> - c\n> \\]',
    '• a\n  $$\n  - b\n  $$\n│ \\[\n│ - c\n│ \\]',
  ],
  ['up to a blank line', '$$ a =\n- *b*\n\n- *c*', '$$ a =\n- *b*\n\n• c'],
  ['not before text', '- \\[ ] a **b**\n- \\[x] c_d **e**\n- \\[[f](g)] h\\*', '• [ ] a b\n• [x] c_d e\n• [f (g)] h*'],
])('of several lines %s', async (_title, markdown, shown = markdown) => {
  expect((await lines(markdown, { columns: 30 })).join('\n')).toBe(shown)
})
