/** Slash commands that run during an answer. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { cut } from '../helpers/long-text.ts'
import { openChat, type ChatOptions } from '../helpers/interactive-chat.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { pairs } from '../helpers/samples.ts'
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
  // A prompt alone may still be the one before the answer.
  await screen.until((lines) => lines.some((line) => line.includes('END.')) && lines.at(-1) === '›')
  const rows = answerRows(screen.lines())
  screen.type('two\r')
  await screen.until((lines) => lines.includes('ok') && lines.at(-1) === '›')
  return { rows, kept: chat.sent().at(-1)?.messages[1]?.content }
}

const answers: [name: string, answer: string, argv: string[], size: number][] = [
  ['Markdown', markdown, [], 23],
  ['Markdown in tiny pieces', markdown.slice(-160), [], 5],
  ['raw text', markdown, ['--raw'], 29],
  ['one raw line', oneLine, ['--raw'], 31],
]
const sizes = [
  [20, 6],
  [80, 24],
  [40, 12],
] as const

test.concurrent.each(pairs(answers, sizes).map(([[name, ...answer], size]) => [name, ...size, ...answer] as const))(
  'the rows of %s at %d x %d are the same without what a command prints',
  async (_name, columns, rows, answer, argv, size) => {
    const pieces = cut(answer, Math.ceil(answer.length / size))
    const options = { columns, rows, argv: ['--no-save', ...argv] }
    const alone = await interrupted(undefined, [answer], options)
    const among = await interrupted('/usage', pieces, options)
    expect(textRows(among.rows)).toEqual(textRows(alone.rows))
    expect(among.rows.filter((row, at) => row === '' && among.rows[at + 1] === '')).toEqual([])
    expect(among.kept).toBe(answer)
  },
)

/** A chat with one answer, and another that has begun. Quiet, so that the status row asks the service nothing. */
async function answering(options: ChatOptions = {}, argv: string[] = []) {
  const paced = new PacedAnswer()
  const hello = streamed(delta({ reasoning_content: 'Let me see.' }), delta('Hello'), end())
  const opened = await openChat([hello, paced.answer, hello], { ...options, argv: ['-q', ...argv] })
  await opened.enter('zero')
  opened.screen.type('one\r')
  // Markdown holds back a word that may go on.
  await paced.send('First\n\nSecond ')
  await opened.screen.until((lines) => lines.includes('Second'))
  return { opened, paced, screen: opened.screen }
}

test.concurrent.each<[command: string, printed: string]>([
  ['/help', '/exit  '],
  ['/? ', '/exit  '],
  ['/usage', 'no token counts yet'],
  ['/reasoning', 'Let me see.'],
  ['/reasoning on', 'reasoning of later answers: in full'],
  ['/copy', 'copied 5 characters'],
  ['/usage now', 'syn: /usage takes no argument'],
])('%s overtakes what is queued, asks nothing, and is no part of the answer', async (command, printed) => {
  const { opened, paced, screen } = await answering()
  await using _chat = opened
  const asked = opened.service.asked.length
  screen.type(`two\r${command}\rdraft`)
  await screen.until((lines) => lines.some((line) => line.includes(printed)) && lines.at(-1) === '» draft')
  expect(screen.lines().at(-2)).toBe('» two')
  const lines = screen.lines()
  expect(lines.slice(lines.indexOf('First'), lines.indexOf(`› ${command.trim()}`) + 1)).toEqual([
    'First',
    '',
    `› ${command.trim()}`,
  ])
  // The block ends with a blank row, and the open row stands below it.
  expect(lines.slice(0, lines.indexOf('Second')).slice(-2)).toEqual([expect.stringMatching(/./), ''])
  expect(opened.service.asked).toHaveLength(asked)
  await paced.finish('third.')
  await screen.until((lines) => lines.includes('Second third.') && lines.at(-1) === '› draft')
  expect(
    opened
      .sent()
      .at(-1)
      ?.messages.map(({ content }) => content),
  ).toEqual(['zero', 'Hello', 'one', 'First\n\nSecond third.', 'two'])
  expect(screen.lines().filter((line) => line === 'Let me see.')).toHaveLength(/reasoning/.test(command) ? 1 : 0)
})

test.concurrent('two of them run one after the other, and Esc stops the answer only', async () => {
  const { opened, screen } = await answering()
  await using _chat = opened
  screen.type('/copy\r/usage\r/reasoning off\r')
  await screen.until((lines) => lines.includes('reasoning of later answers: one line'))
  const echoes = screen.lines().filter((line) => line.startsWith('› /'))
  expect(echoes).toEqual(['› /copy', '› /usage', '› /reasoning off'])
  screen.type('/usage\r\u001b')
  await screen.until((lines) => lines.includes('stopped; the partial answer is kept') && lines.at(-1) === '›')
  expect(count(screen.lines(), '› /usage')).toBe(2)
  expect(count(screen.lines(), 'Second')).toBe(1)
})

test.concurrent('one that fails says why, and does not join what is typed next', async () => {
  const paced = new PacedAnswer()
  await using chat = await openChat([paced.answer])
  chat.screen.type('one\r')
  await paced.send('First ')
  await chat.screen.until((lines) => lines.includes('First'))
  chat.screen.type('/copy\r')
  await chat.screen.until((lines) => lines.includes('syn: /copy: no answer yet') && lines.at(-1) === '»')
  chat.screen.type('next')
  await chat.screen.until((lines) => lines.at(-1) === '» next')
  chat.screen.type('\u0015\u001b[A')
  await chat.screen.until((lines) => lines.at(-1) === '» /copy')
})

test.concurrent.each<[what: string, command: string, options: ChatOptions]>([
  ['a command that asks the service', '/quota', {}],
  ['on a dumb terminal, any command', '/usage', { term: 'dumb', env: { TERM: 'dumb' } }],
])('%s is queued', async (_what, command, options) => {
  const { opened, paced, screen } = await answering(options)
  await using _chat = opened
  screen.type(`${command}\r`)
  await paced.send('third ')
  await screen.until((lines) => lines.includes('Second third'))
  expect(screen.lines()).not.toContain(`› ${command}`)
  await paced.finish('end.')
  await screen.until((lines) => lines.includes(`› ${command}`))
  expect(screen.lines().indexOf(`› ${command}`)).toBeGreaterThan(screen.lines().indexOf('Second third end.'))
})

test.concurrent('the question of the chat is answered, not the command run', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'notes.txt'), 'Notes')
  await using chat = await openChat([streamed(delta('Hello'), end())])
  chat.screen.type(`${join(folder, 'notes.txt')}\r`)
  await chat.screen.until((lines) => lines.at(-1)?.includes('[Y/n]') === true)
  chat.screen.type('/usage\r')
  await chat.screen.until((lines) => lines.filter((line) => line.includes('[Y/n]')).length === 2)
  expect(chat.screen.lines()).not.toContain('no token counts yet')
})

test.concurrent('a long help leaves the rows of the answer whole on a low screen', async () => {
  const { opened, paced, screen } = await answering({ columns: 20, rows: 6 }, ['--raw'])
  await using _chat = opened
  await paced.send('row and more of it')
  await screen.until((lines) => lines.includes('of it'))
  const before = screen.lines()
  screen.type('/help\r')
  await screen.until((lines) => lines.length > before.length + 40)
  await paced.finish(' END.')
  await screen.until((lines) => lines.at(-1) === '›')
  const lines = screen.lines()
  expect(lines.join('\n')).toContain('\n\nSecond row and more\nof it END.\n')
  expect(count(lines, 'Second row and more')).toBe(1)
})
