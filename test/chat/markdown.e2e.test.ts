/** Rendered answers in the chat, as seen on the screen. */

import { describe, expect, test } from 'vitest'
import { entriesIn } from '../helpers/conversations.ts'
import { chat } from '../helpers/families.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { lastTextLine, openChat } from '../helpers/interactive-chat.ts'
import { terminalEnvironment } from '../helpers/shell.ts'
import { widths } from '../helpers/samples.ts'

const text = `# Title

Setext
---

Some **bold**, *leaning*, ~~gone~~ and \`code\` words that go on and on until they must be wrapped; 2 * 3 and an **open mark.

中文排版需要在任意字符之间换行，标点不能在行首，因此这一行要足够长才行。e\u0301te\u0301 👩‍🚀 👍🏽 end.

${'0123456789'.repeat(9)}

> A quote that goes on for longer than the narrow terminal.
>> Deeper.

9. nine
10. ten
    - nested
      - [x] done
      - [ ] to do

***

| Left | Center | Right |
|:-----|:------:|------:|
| a cell with a text that is too long for a line | 中文 | 1 |
| b | \`c\` | 1234.5 |

See [the link](http://b.c/d).

\`\`\`ts
const a = 'b' // c
\`\`\`

\`\`\`py
def f(): return 1
\`\`\`
`

const shown: Record<number, string[]> = {
  80: [
    'Some bold, leaning, gone and code words that go on and on until they must be',
    'wrapped; 2 * 3 and an **open mark.',
    '',
    '中文排版需要在任意字符之间换行，标点不能在行首，因此这一行要足够长才行。e\u0301te\u0301 👩‍🚀',
    '👍🏽 end.',
    '',
    '01234567890123456789012345678901234567890123456789012345678901234567890123456789',
    '0123456789',
    '',
    '│ A quote that goes on for longer than the narrow terminal.',
    '│ │ Deeper.',
    '',
    ' 9. nine',
    '10. ten',
    '    ◦ nested',
    '      ☑ done',
    '      ☐ to do',
    '',
    '─'.repeat(80),
    '',
    '┌────────────────────────────────────────────────┬────────┬────────┐',
    '│ Left                                           │ Center │  Right │',
    '├────────────────────────────────────────────────┼────────┼────────┤',
    '│ a cell with a text that is too long for a line │  中文  │      1 │',
    '│ b                                              │   c    │ 1234.5 │',
    '└────────────────────────────────────────────────┴────────┴────────┘',
  ],
  40: [
    'Some bold, leaning, gone and code words',
    'that go on and on until they must be',
    'wrapped; 2 * 3 and an **open mark.',
    '',
    '中文排版需要在任意字符之间换行，标点不能',
    '在行首，因此这一行要足够长才行。e\u0301te\u0301 👩‍🚀',
    '👍🏽 end.',
    '',
    '0123456789012345678901234567890123456789',
    '0123456789012345678901234567890123456789',
    '0123456789',
    '',
    '│ A quote that goes on for longer than',
    '│ the narrow terminal.',
    '│ │ Deeper.',
    '',
    ' 9. nine',
    '10. ten',
    '    ◦ nested',
    '      ☑ done',
    '      ☐ to do',
    '',
    '─'.repeat(40),
    '',
    '┌────────────────────┬────────┬────────┐',
    '│ Left               │ Center │  Right │',
    '├────────────────────┼────────┼────────┤',
    '│ a cell with a text │  中文  │      1 │',
    '│ that is too long   │        │        │',
    '│ for a line         │        │        │',
    '├────────────────────┼────────┼────────┤',
    '│ b                  │   c    │ 1234.5 │',
    '└────────────────────┴────────┴────────┘',
  ],
}

const rest = ['', 'See the link.', '', 'ts', "const a = 'b' // c", '', 'py', 'def f(): return 1']

const opensLinks = { TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20240203-110809' }

describe.each(widths)('at %d columns', (columns) => {
  test('every kind of block, in pieces of three letters', async () => {
    const pieces = text.match(/[^]{1,3}/gu) ?? []
    await using opened = await openChat([chat.streamed(...pieces)], { columns, env: opensLinks })
    await opened.enter('hi')
    expect(opened.linesBelow('› hi').slice(0, -2)).toEqual([
      'Title',
      '',
      'Setext',
      '─'.repeat(columns),
      '',
      ...(shown[columns] ?? []),
      ...rest,
    ])
    const { screen } = opened
    const cell = (word: string): ReturnType<typeof screen.cellOf> => screen.cellOf(word)
    expect([cell('Title').isBold(), cell('bold').isBold(), cell('Some').isBold()].map(Boolean)).toEqual([
      true,
      true,
      false,
    ])
    expect([cell('leaning').isItalic(), cell('gone').isStrikethrough()].map(Boolean)).toEqual([true, true])
    const plain = cell('Some').getFgColor()
    expect(['code words', 'const', "'b'", '// c', 'def', 'f()'].map((word) => cell(word).getFgColor())).toEqual([
      3, 13, 2, 8, 13, 12,
    ])
    expect(cell('wrapped').getFgColor()).toBe(plain)
    expect(screen.written()).toContain('\u001b]8;;http://b.c/d\u001b\\')
  })

  test('words, lines of code and tables appear when complete; a new width applies from the next line on', async () => {
    const paced = chat.paced()
    await using opened = await openChat([paced.answer], { columns, env: terminalEnvironment })
    const { screen, home } = opened
    // While the table is held back, the footer may say so.
    const last = (lines: string[]): string | undefined =>
      lastTextLine(lines.filter((line) => !line.startsWith('waiting for ')))
    const isLast = (text: string) => (lines: string[]) => last(lines) === text
    screen.type('hi\r')
    await paced.send('one tw')
    await screen.until(isLast('one'))
    await paced.send('o thr')
    await screen.until(isLast('one two'))
    await paced.send('ee\n\n```ts\nlet a = 1\nlet b')
    await screen.until(isLast('let a = 1'))
    await paced.send(' = 2\n```\n| Name | Amount |\n|:-----|')
    await screen.until(isLast('let b = 2'))
    await paced.send(`-------:|\n| ${'Ada '.repeat(9)} | 36 |\n`)
    const hasTaken = async (text: string): Promise<void> => {
      await expect.poll(() => JSON.stringify(entriesIn(home, 'part').at(-1))).toContain(text)
    }
    await hasTaken('36')
    expect(last(screen.lines())).toBe('let b = 2')
    screen.resize(24, 24)
    await paced.send('| Bob | 1234 |\n')
    // Text that arrives now is read after SIGWINCH.
    await hasTaken('1234')
    await paced.finish(`\n${'word '.repeat(9)}`)
    await screen.until((lines) => lines.at(-1) === '›')
    const laidOut = [
      '┌─────────────┬────────┐',
      '│ Name        │ Amount │',
      '├─────────────┼────────┤',
      '│ Ada Ada Ada │     36 │',
      '│ Ada Ada Ada │        │',
      '│ Ada Ada Ada │        │',
      '├─────────────┼────────┤',
      '│ Bob         │   1234 │',
      '└─────────────┴────────┘',
      '',
      'word word word word word',
      'word word word word',
    ]
    expect(opened.linesBelow('let b = 2').slice(0, laidOut.length)).toEqual(laidOut)
  })

  test('the theme none uses marks instead of colors; /raw on shows the source', async () => {
    const home = emptyFolder()
    await runSyn(['config', 'set', 'theme', 'none'], { env: { HOME: home } })
    const marked = '# Title\n\n**bold** words that go on for longer than forty columns\n\n- `code`\n'
    await using opened = await openChat([chat.streamed(marked)], { columns, env: { HOME: home } })
    await opened.enter('one')
    const [first, second] = ['**bold** words that go on for longer', 'than forty columns']
    const prose = columns > 40 ? [`${first} ${second}`] : [first, second]
    expect(opened.linesBelow('› one').slice(0, -2)).toEqual(['# Title', '', ...prose, '', '• `code`'])
    await opened.enter('/raw on')
    await opened.enter('two')
    const line = '**bold** words that go on for longer than forty columns'
    // The terminal wraps the line.
    const raw = columns > 40 ? [line] : [line.slice(0, 40), line.slice(40)]
    expect(opened.linesBelow('› two').slice(0, -2)).toEqual(['# Title', '', ...raw, '', '- `code`'])
    await opened.enter('/raw off')
    await opened.enter('three')
    expect(opened.linesBelow('› three')).toContain('• `code`')
  })
})
