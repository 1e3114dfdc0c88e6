/** Slash commands that run during an answer. */

import { describe, expect, test } from 'vitest'
import { cut } from '../helpers/long-text.ts'
import { openChat, type ChatOptions } from '../helpers/interactive-chat.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { chatAnswer, events } from '../helpers/service.ts'

const markdown = [
  'A “first” paragraph — with curly quotes and a dash, which is longer than a row of any of the terminals here.\n\n',
  '1. one\n2. two with **bold words** that go on and on and on\n\n',
  '| a | b |\n|---|---|\n| one | two |\n| three | four |\n\n',
  '```js\nconst answer = 42\n\nanswer + 1\n```\n\n',
  '你好，世界。这是一个比较长的段落，没有任何空格，也没有换行，一直写下去。\n\nThe END.',
].join('')

/** Longer than the lowest screens, without a line feed. */
const oneLine = `${'“word” — another, and 你好 '.repeat(14)}END.`

/** Without the blocks of a command, which have two rows, and without the blank rows around them and in the answer. */
function textRows(rows: readonly string[]): string[] {
  const isBlock = (at: number): boolean => rows[at] === '› /usage' || rows[at - 1] === '› /usage'
  return rows.filter((row, at) => row !== '' && !isBlock(at))
}

function answerRows(lines: readonly string[]): string[] {
  return lines.slice(lines.indexOf('› one') + 1, lines.findLastIndex((line) => line.includes('END.')) + 1)
}

function count(lines: readonly string[], text: string): number {
  return lines.filter((line) => line === text).length
}

/** Sends a message, and enters the command after each piece of the answer. */
async function interrupted(
  command: string | undefined,
  pieces: readonly string[],
  options: ChatOptions,
): Promise<{ rows: string[]; kept: unknown }> {
  const paced = new PacedAnswer()
  await using chat = await openChat([paced.answer, events(chatAnswer(['ok']))], options)
  const { screen } = chat
  screen.type('one\r')
  await paced.asked
  for (const [index, piece] of pieces.entries()) {
    if (command !== undefined) {
      screen.type(`${command}\r`)
      await screen.until((lines) => count(lines, `› ${command}`) === index + 1)
    }
    await paced.send(piece)
    // Some of the cuts are drawn, and some are not.
    if (index % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await paced.finish()
  await screen.until((lines) => lines.at(-1) === '›')
  const rows = answerRows(screen.lines())
  screen.type('two\r')
  await screen.until((lines) => lines.includes('ok') && lines.at(-1) === '›')
  return { rows, kept: chat.sent().at(-1)?.messages[1]?.content }
}

describe.each([
  [80, 24],
  [40, 12],
  [20, 6],
])('at %d x %d', (columns, rows) => {
  test.each<[name: string, answer: string, argv: string[], size: number]>([
    ['Markdown', markdown, [], 23],
    ['Markdown in tiny pieces', markdown.slice(-160), [], 5],
    ['raw text', markdown, ['--raw'], 29],
    ['one raw line', oneLine, ['--raw'], 31],
  ])('the rows of %s are the same without what a command prints', async (_name, answer, argv, size) => {
    const pieces = cut(answer, Math.ceil(answer.length / size))
    const options = { columns, rows, argv: ['--no-save', ...argv] }
    const alone = await interrupted(undefined, [answer], options)
    const among = await interrupted('/usage', pieces, options)
    expect(textRows(among.rows)).toEqual(textRows(alone.rows))
    expect(among.rows.filter((row, at) => row === '' && among.rows[at + 1] === '')).toEqual([])
    expect(among.kept).toBe(answer)
  })
})
