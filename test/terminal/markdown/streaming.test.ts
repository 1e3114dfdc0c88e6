/** When text and blocks become visible: as soon as later text cannot change how they look. */

import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { TextPrinter } from '../../../src/answer/text-printer.ts'
import { terminalSink } from '../../../src/io/io.ts'
import { asSafeText, safe } from '../../../src/io/text/safe-text.ts'
import { Answer } from '../../../src/stream/answer.ts'
import { sanitizingFilter } from '../../../src/terminal/text-filter.ts'
import { MarkdownRenderer } from '../../../src/terminal/markdown/renderer.ts'
import { bare, optionsOf, render, visibleAfter } from '../../helpers/markdown.ts'

/** An answer on a terminal of 80 columns, by the clock of this test. */
async function slowAnswer() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const options = await optionsOf({})
  let written = ''
  const out = terminalSink((text) => Promise.resolve(void (written += text)), { columns: () => 80 })
  const printer = new TextPrinter(out, out, new Answer(), {
    choiceCount: 1,
    title: () => '',
    showsReasoning: false,
    runsTools: false,
    newFilter: () => sanitizingFilter(new MarkdownRenderer(options)),
    newReasoningFilter: () => sanitizingFilter(),
    outStyle: undefined as never,
    errStyle: undefined as never,
    signal: new AbortController().signal,
  })
  return {
    /** Adds text at a pace in characters a second, and then nothing for some milliseconds. */
    async add(text: string, pace: number, silence = 0): Promise<void> {
      const length = Math.ceil(pace / 25)
      for (let at = 0; at < text.length; at += length) {
        await printer.print([{ type: 'text', index: 0, text: text.slice(at, at + length) }])
        await vi.advanceTimersByTimeAsync((1000 * length) / pace)
      }
      await vi.advanceTimersByTimeAsync(silence)
    },
    finish: () => printer.finish(),
    written: () => written,
    rows: () => bare(written).replaceAll(/[^\n]*\r/g, ''),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  }
}

test.each(['README.md', 'node_modules/undici/README.md'])(
  'nothing in %s is drawn twice at 50, 250 and 2,000 characters a second',
  async (path) => {
    const text = readFileSync(path, 'utf8').replaceAll(/^```\w+/gm, '```')
    for (const pace of [50, 250, 2000]) {
      using answer = await slowAnswer()
      await answer.add(text, pace)
      await answer.finish()
      expect(answer.written()).not.toContain('\r')
      // The other has emphasis that is longer than usual.
      if (path === 'README.md') expect(answer.written()).toBe(await render(text))
    }
  },
)

test.each<[what: string, first: string, shown: string, rest: string, whole: string]>([
  ['emphasis', 'a **bold', 'a **bold', ' word** b', 'a bold word b'],
  ['a name', 'The _private', 'The _private', ' field', 'The _private field'],
  ['code', 'a `b', 'a `b', ' c` d', 'a b c d'],
  ['part of a word', '- one tw', '• one tw', 'o', '• one two'],
  ['a comparison', 'if a<b', 'if a<b', ' or c', 'if a<b or c'],
  ['a label', '> a\n\n[TODO', '│ a\n[TODO', ': b] c', '│ a\n\n[TODO: b] c'],
  ['a link', '> [a', '> [a', ' b](http://c.d)', '│ a b (http://c.d)'],
  [
    'as much as fits on the row',
    `${'a '.repeat(36)}**bold text`,
    `${'a '.repeat(36)}**bold`,
    '**',
    `${'a '.repeat(36)}bold\ntext`,
  ],
])('after half a second without more, %s is shown', async (_what, first, shown, rest, whole) => {
  using answer = await slowAnswer()
  await answer.add(first, 250, 600)
  expect(answer.rows()).toBe(shown)
  await answer.add(rest, 250)
  await answer.finish()
  expect(answer.rows()).toBe(`${whole}\n`)
})

test.each(['The _private field', 'f(*args', 'Where a<b holds,', '[TODO', 'A lone `backtick', 'costs $5'])(
  'a mark that stays open holds back no long text: %s',
  async (start) => {
    using answer = await slowAnswer()
    const text = `${start}${' and what follows goes on'.repeat(20)}`
    await answer.add(text.slice(0, 250), 250)
    expect(answer.rows().replaceAll('\n', ' ').length).toBeGreaterThan(200)
    await answer.add(text.slice(250), 250)
    await answer.finish()
    expect(answer.rows().replaceAll('\n', ' ').trim()).toBe(text)
  },
)

test.each<[title: string, pieces: string[], visible: string[]]>([
  ['prose by the word', ['Hel', 'lo wor', 'ld, ', 'x\n'], ['', 'Hello', 'Hello world,', 'Hello world, x\n']],
  ['Chinese by the character', ['中', '文排', '版。', '在'], ['', '中文', '中文排', '中文排版。']],
  ['emphasis when it closes', ['a **b ', 'c', '** ', 'd '], ['a', 'a', 'a b c', 'a b c d']],
  ['a line break', ['a<br', ' ', '/>b '], ['', '', 'a\nb']],
  ['code over the end of a line when it closes', ['a `b ', '\n', 'c', '` d '], ['a', 'a', 'a', 'a b\nc d']],
  ['code that never closes at the end of its paragraph', ['a `b\n', 'c d\n', '\n'], ['a', 'a', 'a `b\nc d\n']],
  ['a line after a label with its end', ['[a]:\n', 'b c', '\n'], ['', '', '[a]:\nb c\n']],
  ['a tag when it closes', ['a <b c', '="d e', '"> f '], ['a', 'a', 'a <b c="d e"> f']],
  ['a link with its target', ['[a ', 'b]', '(http://c.d', ') '], ['', '', '', 'a b (http://c.d)']],
  ['brackets that are no link', ['[a b]', ' '], ['', '[a b]']],
  ['HTML by the line', ['<p>a ', '\n', '  b', '\n'], ['', '<p>a \n', '<p>a \n', '<p>a \n  b\n']],
  ['a heading with its line', ['# One ', 'two', '\n'], ['', '', 'One two\n']],
  ['a bullet with its first word', ['-', ' ', 'a ', 'b '], ['', '', '• a', '• a b']],
  ['a possible rule', ['- - ', '-', '\n'], ['', '', `${'─'.repeat(20)}\n`]],
  ['a task with its first word', ['- [', 'x', '] ', 'a '], ['', '', '', '☑ a']],
  [
    'code by the line',
    ['```\nab', 'c', '\nd', '\n', '``', '`\n'],
    ['', '', 'abc\n', 'abc\nd\n', 'abc\nd\n', 'abc\nd\n'],
  ],
  [
    'a table when it is complete',
    ['|a|\n', '|-|\n', '|b|\n', '\n'],
    ['', '', '', '┌───┐\n│ a │\n├───┤\n│ b │\n└───┘\n'],
  ],
  [
    'a formula when it closes',
    ['$a ', '= b', '$ ', '\\(c ', '\\) '],
    ['', '', '$a = b$', '$a = b$', '$a = b$ \\(c \\)'],
  ],
  ['a price when another follows', ['$5 ', 'or ', '$10 ', 'a\n'], ['', '', '$5 or', '$5 or $10 a\n']],
])('%s', async (_title, pieces, visible) => {
  expect(await visibleAfter(pieces)).toEqual(visible)
})

test.each([
  ['one word', `${'A'.repeat(200_000)} `],
  ['many words', 'ab '.repeat(100_000)],
])('a line of code that waits may be long, of %s', async (_what, line) => {
  const renderer = new MarkdownRenderer(await optionsOf({}))
  const shown = renderer.push(asSafeText(`~~~\n${line}`)) + renderer.showHeld(false) + renderer.showHeld(true)
  expect(shown.length).toBeLessThan(100)
  expect(renderer.end()).toContain(line.trimEnd())
})

test('a new width takes effect on the next line', async () => {
  let columns = 10
  const renderer = new MarkdownRenderer({ ...(await optionsOf({})), width: () => columns })
  let shown: string = renderer.push(safe`aaaa bbbb cccc `)
  columns = 20
  shown += renderer.push(safe`dddd eeee ffff gggg hhhh `)
  columns = 5
  shown += renderer.push(safe`iiii jjjj`) + renderer.end()
  expect(shown.split('\n')).toEqual(['aaaa bbbb', 'cccc dddd', 'eeee ffff gggg hhhh', 'iiii', 'jjjj', ''])
})

test.each([
  ['emphasis', 'one **two', 'one **two\n'],
  ['a table', '| a |\n|---|\n| b', '┌───┐\n│ a │\n├───┤\n│ b │\n└───┘\n'],
  ['the header of a table', '| a |', '| a |\n'],
  ['a formula', 'a $b *c', 'a $b *c\n'],
  ['code whose language is still loading', '```ts\nlet a', 'ts\nlet a\n'],
])('text that ends inside %s is complete', async (_what, text, shown) => {
  const renderer = new MarkdownRenderer(await optionsOf({}))
  expect(bare(renderer.push(asSafeText(text)) + renderer.end())).toBe(shown)
})
