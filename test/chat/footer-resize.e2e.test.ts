/** Resizing the terminal while an answer arrives: nothing of it is lost or doubled, and nothing of the footer stays behind. */

import { expect, test } from 'vitest'
import type { ChatOptions, InteractiveChat } from '../helpers/interactive-chat.ts'
import { chat, type Piece } from '../helpers/dialects.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { describeTerminals } from '../helpers/terminals.ts'
import { byHand } from '../helpers/terminal.ts'

/** Words of an answer that can be told apart, also where a terminal has broken them. */
function words(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `w${String(from + index).padStart(3, '0')}`).join(' ')
}

function shownWords({ screen }: InteractiveChat): string {
  return (
    screen
      .lines()
      .join('')
      .replaceAll(/\s/g, '')
      .match(/w\d{3}/g) ?? []
  ).join(' ')
}

function lastOf(count: number): string {
  return words(count - 1, count)
}

/**
 * Resizes the terminal, and waits until the footer is erased and drawn anew: of two resizes in between, only one is seen. What is
 * written in the very moment of a resize, such as the seconds of the status row, is for a screen that is no longer there: no
 * program can know.
 */
async function resize({ screen }: InteractiveChat, columns: number, rows: number): Promise<void> {
  const before = screen.written().length
  screen.resize(columns, rows)
  await screen.until(() => /\u001b\[J.*[›»]/s.test(screen.written().slice(before)))
}

async function withoutStatus(): Promise<ChatOptions> {
  const env = { HOME: emptyFolder() }
  await runSyn(['config', 'set', 'status', 'false'], { env })
  return { env }
}

/** Two blank rows, as they are left when too few rows are erased. */
function doubleSpace({ screen }: InteractiveChat): boolean {
  return screen.lines().join('\n').includes('\n\n\n')
}

/** Rows that stand below the text only as long as something is under way. */
function staleRows({ screen }: InteractiveChat): string[] {
  return screen.lines().filter((line) => /^»|waiting for|esc stops|^thinking/.test(line))
}

const parts: Record<string, (from: number, to: number) => string> = {
  'in one paragraph': (from, to) => `${words(from, to)} `,
  'in a list': (from, to) => `- ${words(from, to)}\n`,
  'in code': (from, to) => `${from === 0 ? '```\n' : ''}${words(from, to)}\n`,
}

describeTerminals(({ columns, rows, open }) => {
  // Narrower, as before, narrower and lower, and wider.
  const sizes = [
    [columns - 15, rows],
    [columns, rows],
    [columns - 12, rows - 2],
    [columns + 30, rows],
  ] as const

  // Most of the time is spent waiting for a row that is drawn later: they run at the same time.
  test.each([
    ['in one paragraph', 'answer'],
    ['in a list', 'reasoning'],
    ['in code', 'answer'],
  ])('%s, in mid-%s', async (how, kind) => {
    const piece = (text: string): Piece => (kind === 'reasoning' ? { reasoning: text } : text)
    const paced = chat.paced()
    await using opened = await open([paced.answer, chat.streamed('Hello')], await withoutStatus())
    const { screen } = opened
    if (kind === 'reasoning') await opened.enter('/reasoning on')
    screen.type('question\r')
    await paced.asked
    screen.type(byHand('queued\rdraft'))
    await screen.until((lines) => lines.at(-1) === '» draft' && lines.at(-2) === '» queued')
    let sent = 0
    const send = async (): Promise<void> => {
      await paced.send(piece(parts[how]?.(sent, sent + 12) ?? ''))
      sent += 12
      await screen.until((lines) => shownWords(opened).endsWith(lastOf(sent)) && lines.at(-1) === '» draft')
    }
    await send()
    for (const [width, height] of sizes) {
      await resize(opened, width, height)
      await send()
      expect(shownWords(opened)).toBe(words(0, sent))
      expect(staleRows(opened)).toEqual(['» queued', '» draft'])
      expect(doubleSpace(opened)).toBe(false)
    }
    await paced.finish('The end.')
    await screen.until((lines) => lines.at(-1) === '› draft')
    expect(shownWords(opened)).toBe(words(0, sent))
    expect(staleRows(opened)).toEqual([])
  })

  test('while the answer is waited for', async () => {
    const paced = chat.paced()
    await using opened = await open([paced.answer, chat.streamed('Hello')])
    const { screen } = opened
    const draft = `draft:${'x'.repeat(60)}.`
    screen.type(byHand(`question\rqueued\r${draft}`))
    const isComplete = (lines: readonly string[]): boolean =>
      lines.some((line) => line.startsWith('waiting for')) && lines.join('').endsWith('x.')
    await screen.until(isComplete)
    for (const [width, height] of sizes) {
      await resize(opened, width, height)
      await screen.until(isComplete)
      expect(staleRows(opened).filter((row) => row.startsWith('waiting for'))).toHaveLength(1)
      expect(staleRows(opened).filter((row) => row.startsWith('»'))).toEqual([
        '» queued',
        expect.stringMatching(/^» draft/),
      ])
      expect(screen.lines().join('').split('draft:')).toHaveLength(2)
    }
    await paced.finish('The answer.')
    await screen.until((lines) => lines.includes('Hello') && lines.some((line) => line.startsWith('› draft:')))
    expect(staleRows(opened)).toEqual([])
    expect(screen.lines().join('').split('draft:')).toHaveLength(2)
    expect(doubleSpace(opened)).toBe(false)
  })

  test('while a draft of several lines is edited', async () => {
    await using opened = await open([chat.streamed('Hello')])
    const { screen } = opened
    await opened.enter('question')
    const line = 'a line of as many words as are wrapped at some of these sizes'
    screen.type(`${line}\u001b\r${line}\u001b\rend`)
    await screen.until((lines) => lines.at(-1) === '  end')
    for (const [width, height] of sizes) {
      await resize(opened, width, height)
      await screen.until((lines) => lines.at(-1) === '  end')
      expect(screen.lines().filter((row) => row.startsWith('›'))).toHaveLength(2)
      expect(screen.lines().filter((row) => row === 'Hello')).toHaveLength(1)
      expect(doubleSpace(opened)).toBe(false)
    }
  })

  test('after the rows of a draft have become shorter', async () => {
    await using opened = await open([chat.streamed('Hello')], { ...(await withoutStatus()), columns: 30, rows: 10 })
    const { screen } = opened
    const newLine = '\u001b\r'
    const [killWord, up, end, textEnd] = ['\u0017', '\u001b[A', '\u0005', '\u001b[1;5F']
    screen.type(Array.from({ length: 5 }, () => 'x'.repeat(27)).join(newLine))
    await screen.until((lines) => lines.at(-1) === `  ${'x'.repeat(27)}`)
    screen.type(`${killWord}y${up}${end}`.repeat(5) + textEnd)
    await screen.until((lines) => lines.slice(-5).join() === '› y,  y,  y,  y,  y')
    await resize(opened, 15, 6)
    await resize(opened, 30, 10)
    await screen.until((lines) => lines.slice(-5).join() === '› y,  y,  y,  y,  y')
    expect(screen.lines().filter((row) => /^[› ]*y/.test(row))).toHaveLength(5)
  })
})
