/** An answer that arrives faster than it can be read, and what typing below one costs. */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { chat, dialects } from '../helpers/dialects.ts'
import { chapters, cut } from '../helpers/long-text.ts'
import { lastTextLine, openChat } from '../helpers/interactive-chat.ts'

/** Small: the tests look at the last lines only, often. */
const scrollback = 30

describe.each([80, 40])('200 KB in 50,000 deltas, at %d columns', (columns) => {
  test('cost no more output than one piece, and keep what is typed meanwhile', async () => {
    const whole = chapters(200_000)
    const pieces = cut(whole, 50_000)
    const paced = chat.paced()
    await using opened = await openChat([paced.answer, chat.streamed(whole, { usage: [8, 9] })], {
      columns,
      scrollback,
    })
    const { screen } = opened
    screen.type('one\r')
    await paced.pour('The beginning.\n\n', ...pieces.slice(0, 25_000))
    await screen.until(() => screen.written().includes('The beginning.'))
    screen.type('tw')
    await paced.pour('\n\n```\nThe middle.\n```\n\n')
    await screen.until((lines) => lastTextLine(lines) === 'The middle.')
    screen.type('x\u007fo')
    await paced.finish(...pieces.slice(25_000))
    await screen.until((lines) => lines.at(-1) === '› two')
    const inPieces = screen.written().length
    screen.type('\r')
    await screen.until(
      (lines) => lines.at(-1) === '›' && lines.slice(-4).some((line) => line.startsWith('8 + 9 tokens')),
    )
    expect(opened.sent().at(-1)?.messages.at(-1)).toEqual(chat.user('two'))
    expect(inPieces / (screen.written().length - inPieces)).toBeLessThanOrEqual(1.1)
  })
})

describe.each(dialects)('an endless answer of $name', (dialect) => {
  test('is stopped by Ctrl-C', async () => {
    const most = 200_000_000
    const paced = dialect.paced()
    await using opened = await openChat([paced.answer, dialect.streamed('Hello')], { dialect, scrollback })
    const { screen } = opened
    screen.type('flood\r')
    let sent = 0
    const flood = async (): Promise<void> => {
      const pieces = cut(chapters(20_000), 5000)
      while (sent < most && (await paced.pour(...pieces))) sent += 20_000
    }
    const flooding = flood()
    await screen.until((lines) => lines.length > 24)
    screen.type('\u0003')
    await flooding
    expect(sent).toBeLessThan(most / 10)
    await screen.until(
      (lines) => lines.at(-1) === '›' && lines.slice(-4).includes('stopped; the partial answer is kept'),
    )
    await opened.enter('go on')
    expect(opened.linesBelow('› go on')[0]).toBe('Hello')
  })
})

test('ten keys and sixty deltas a second cost few bytes', async () => {
  const sentence = 'These are words of an answer that comes as fast as a good model writes, in lines of a paragraph. '
  const text = sentence.repeat(20)
  const paced = chat.paced()
  await using opened = await openChat([paced.answer], { scrollback })
  const { screen } = opened
  screen.type('one\r')
  await paced.asked
  const before = screen.written().length
  for (const [at, piece] of cut(text, 400).entries()) {
    if (at % 6 === 0) screen.type(at % 48 === 42 ? '\u007f' : 'x')
    await paced.send(piece)
    await sleep(1000 / 60)
  }
  await paced.finish()
  await screen.until((lines) => lines.at(-1)?.startsWith('› x') === true)
  expect(Buffer.byteLength(screen.written().slice(before)) / text.length).toBeLessThanOrEqual(6)
})
