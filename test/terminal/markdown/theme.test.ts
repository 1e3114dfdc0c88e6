/** Colors for a dark or a light background, or none. */

import { expect, test } from 'vitest'
import { render, type Rendering } from '../../helpers/markdown.ts'

const text = '# a `b`\n\n**c** _d_ ~e~ [f](http://g.h/) `i`\n\n- j\n\n> k\n\n| l |\n|---|\n| m |\n\n---'

function codesOf(written: string): string[] {
  // oxlint-disable-next-line no-control-regex
  return [...written.matchAll(/\u001b\[([\d;]*)m/g)].map(([, code = '']) => code)
}

/** The styles that a line starts and does not end. */
function openAt(codes: string[]): string[] {
  const ends: Record<string, RegExp> = { 22: /^[12]$/, 23: /^3$/, 24: /^4$/, 29: /^9$/, 39: /^(3|9)[0-7]$/ }
  let open: string[] = []
  for (const code of codes) open = code in ends ? open.filter((one) => !ends[code]?.test(one)) : [...open, code]
  return open
}

test.each<[theme: string, rendering: Rendering, heading: string]>([
  ['dark', { theme: 'dark' }, '96'],
  ['light', { theme: 'light' }, '34'],
  ['auto on white', { theme: 'auto', env: { COLORFGBG: '0;15' } }, '34'],
  ['dark on white', { theme: 'dark', env: { COLORFGBG: '0;15' } }, '96'],
  ['auto with an unknown COLORFGBG', { theme: 'auto', env: { COLORFGBG: 'default;default' } }, '96'],
])('%s has its colors, and a different look for each heading level', async (_theme, rendering, heading) => {
  const written = await Promise.all(['#', '##', '###', '####'].map((marks) => render(`${marks} a`, rendering)))
  expect(written.map((shown) => codesOf(shown).slice(0, 3).join(' '))).toEqual([
    `1 4 ${heading}`,
    `1 ${heading} 39`,
    '1 22',
    '1 3 23',
  ])
})

test.each(['dark', 'light'] as const)('%s uses only the sixteen colors, and ends every style', async (theme) => {
  const written = await render(text, { theme })
  expect(codesOf(written).filter((code) => !/^([1-49]|2[2-49]|3[0-69]|9[0-7])$/.test(code))).toEqual([])
  expect(written.split('\n').flatMap((line) => openAt(codesOf(line)))).toEqual([])
})

test('light has no yellow and no bright color, which are hard to read on white', async () => {
  const code = 'const a = 1 // b\nclass C { d() { return `e` } }'
  const codes = codesOf(await render(`${text}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n\`\`\`\nx\n\`\`\``, { theme: 'light' }))
  expect(codes.filter((code) => /^(33|9[1-7])$/.test(code))).toEqual([])
})

test.each<[how: string, rendering: Rendering]>([
  ['the theme none', { theme: 'none' }],
  ['no color', { hasColor: false }],
])('%s writes no escape sequences, and keeps the marks', async (_how, rendering) => {
  expect((await render(text, { ...rendering, columns: 40 })).split('\n')).toEqual([
    '# a `b`',
    '',
    '**c** _d_ ~e~ f (http://g.h/) `i`',
    '',
    '• j',
    '',
    '│ k',
    '',
    '┌───┐',
    '│ l │',
    '├───┤',
    '│ m │',
    '└───┘',
    '',
    '─'.repeat(40),
    '',
  ])
})
