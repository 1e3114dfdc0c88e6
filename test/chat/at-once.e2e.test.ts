/** Slash commands that run during an answer. */

import { expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { cut } from '../helpers/long-text.ts'
import { openChat, type ChatOptions } from '../helpers/interactive-chat.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { type Answer, chatAnswer, events, json } from '../helpers/service.ts'
import { byHand } from '../helpers/terminal.ts'

const markdown = [
  'A “first” paragraph — with curly quotes and a dash, which is longer than a row of any of the terminals here.\n\n',
  '1. one\n2. two with **bold words** that go on and on and on\n\n',
  '| a | b |\n|---|---|\n| one | two |\n\n',
  '```js\nconst answer = 42\n```\n\n',
  '你好，世界。这是一个比较长的段落，没有任何空格，也没有换行，一直写下去。\n\nThe END.',
].join('')

/** Longer than the lowest screen, without a line feed. */
const oneLine = `${'“word” — another, and 你好 '.repeat(14)}END.`

function count(lines: readonly string[], text: string): number {
  return lines.filter((line) => line === text).length
}

/** Sends a message, and enters a command before each piece of the answer. @returns what is shown of it, without blank rows. */
async function shownOf(pieces: readonly string[], command: string | undefined, options: ChatOptions) {
  const paced = new PacedAnswer()
  await using chat = await openChat([paced.answer, events(chatAnswer(['ok']))], options)
  const { screen } = chat
  screen.type('one\r')
  await paced.asked
  for (const piece of pieces) {
    if (command !== undefined) {
      // Read before Enter: several in one read would be one text.
      screen.type(command)
      await screen.until((lines) => lines.includes(`» ${command}`))
      await chat.type('\r', '»')
    }
    await paced.send(piece)
  }
  await paced.finish()
  const isShown = (lines: readonly string[]): boolean => {
    const commands = command === undefined ? 0 : pieces.length
    return lines.at(-1) === '›' && lines.some((line) => line.includes('END.')) && count(lines, '› /usage') === commands
  }
  await screen.until(isShown)
  const lines = screen.lines()
  const last = lines.findLastIndex((line) => line.includes('END.'))
  // What the command prints has one row.
  const rows = lines
    .slice(lines.indexOf('› one') + 1, last + 1)
    .filter((row, at, all) => row !== '' && row !== '› /usage' && all[at - 1] !== '› /usage')
  await chat.enter('two')
  return { rows, kept: chat.sent().at(-1)?.messages[1]?.content }
}

test.concurrent.each<[name: string, answer: string, argv: string[], columns: number, rows: number]>([
  ['Markdown', markdown, [], 40, 12],
  ['one raw line', oneLine, ['--raw'], 20, 9],
])('the rows of %s are the same without what a command prints', async (_name, answer, argv, columns, rows) => {
  const options = { columns, rows, argv: ['--no-save', ...argv] }
  const alone = await shownOf([answer], undefined, options)
  const among = await shownOf(cut(answer, Math.ceil(answer.length / 12)), '/usage', options)
  expect(among).toEqual({ rows: alone.rows, kept: answer })
})

/** A chat with one answer, and another that has begun. */
async function answering(options: ChatOptions = {}) {
  const paced = new PacedAnswer()
  const hello = streamed(delta('Hello'), end())
  const second: Answer = (asked, response) =>
    (asked.path.endsWith('/models') ? json({ data: [] }) : paced.answer)(asked, response)
  const opened = await openChat([hello, second, hello], { ...options, argv: ['-q'] })
  await opened.enter('zero')
  opened.screen.type('one\r')
  // Markdown holds back a word that may go on.
  await paced.send('First\n\nSecond ')
  await opened.screen.until((lines) => lines.includes('Second'))
  return { opened, paced, screen: opened.screen }
}

test.concurrent.each<[command: string, printed: string]>([
  ['/usage', 'no token counts yet'],
  ['/show 1', 'message 1 of 2'],
  ['/copy 7', 'syn: /copy 7: the conversation has 2 messages'],
])('%s overtakes what is queued, and stands below the row that is open', async (command, printed) => {
  const { opened, paced, screen } = await answering()
  await using _chat = opened
  screen.type(byHand(`two\r${command}\rdraft`))
  await screen.until((lines) => lines.at(-1) === '» draft')
  await paced.send('third.\n\n')
  await screen.until((lines) => lines.some((line) => line.includes(printed)))
  await paced.send('Last ')
  await screen.until((lines) => lines.includes('Last'))
  expect(screen.lines().at(-2)).toBe('» two')
  const lines = screen.lines()
  const at = lines.indexOf(`› ${command}`)
  expect(lines.slice(at - 4, at)).toEqual(['First', '', 'Second third.', ''])
  await paced.finish('row.')
  await screen.until((rows) => rows.includes('Last row.') && rows.at(-1) === '› draft')
  const sent = opened
    .sent()
    .at(-1)
    ?.messages.map(({ content }) => content)
  expect(sent).toEqual(['zero', 'Hello', 'one', 'First\n\nSecond third.\n\nLast row.', 'two'])
})

test.concurrent.each<[command: string, options: ChatOptions]>([
  ['/quota', {}],
  ['/usage', { term: 'dumb', env: { TERM: 'dumb' } }],
])('%s is queued (%j)', async (command, options) => {
  const { opened, paced, screen } = await answering(options)
  await using _chat = opened
  screen.type(`${command}\r`)
  await paced.finish('end.')
  await screen.until((lines) => lines.includes(`› ${command}`))
  expect(screen.lines().indexOf(`› ${command}`)).toBeGreaterThan(screen.lines().indexOf('Second end.'))
})
