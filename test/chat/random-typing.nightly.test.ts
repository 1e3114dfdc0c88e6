/** Random answers, in random pieces, while random keys are pressed. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCertainWidth } from '../../src/terminal/width.ts'
import { chat } from '../helpers/families.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { anyMarkdown, cutAt } from '../helpers/markdown.ts'
import { samples } from '../helpers/samples.ts'
import { json, type Answer, type Asked } from '../helpers/service.ts'
import { terminalEnvironment } from '../helpers/shell.ts'

/** They are in no answer. */
const typed = ['§', '¤', '§¤', '¶', '龘', '¤ §', '§'.repeat(50)]
const otherKeys = [
  '\u001b[A',
  '\u001b[B',
  '\u001b[C',
  '\u001b[D',
  '\u001bb',
  '\u001bf',
  '\u0001',
  '\u0005',
  '\u007f',
  '\u0017',
  '\u000b',
  '\u0019',
  '\u001f',
  '\u000c',
  '\u001b\r',
  '\u001b[13;2u',
  '\t',
  '\u0012',
  '🦊',
  'Q\u0308',
  '\u001b[200~¶\r§ ¤\u001b[201~',
  '\u001b[<35;1;2M',
  '\u001b]11;rgb:0000/0000/0000\u001b\\',
  '\u001b[1;9Z',
  '\u001b_G¶\u001b\\',
]

/** Keys, or a short while in milliseconds. */
type Step = string | number

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...typed, ...otherKeys, '\r') },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }) },
)

interface Case {
  readonly document: string
  readonly cuts: readonly number[]
  /** What happens before each piece. */
  readonly steps: readonly Step[]
}

const cases: fc.Arbitrary<Case> = fc.record({
  document: anyMarkdown,
  cuts: fc.array(fc.nat(), { minLength: 2, maxLength: 10 }),
  steps: fc.array(step, { maxLength: 12 }),
})

/** Each request waits for its answer. */
class Requests {
  readonly #waiting: [asked: Asked, response: ServerResponse][] = []
  readonly #watchers = new Set<() => void>()

  readonly answer: Answer = (asked, response) => {
    if (!asked.path.endsWith('/chat/completions')) return json({ error: 'not found' }, 404)(asked, response)
    this.#waiting.push([asked, response])
    for (const watch of this.#watchers) watch()
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Resolves when there is a request. */
  waiting(): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.add(resolve)
      if (this.hasWaiting) resolve()
    })
  }

  answerNext(answer: Answer): void {
    const [asked, response] = this.#waiting.shift() ?? []
    if (asked && response) void answer(asked, response)
  }
}

interface Chat extends InteractiveChat {
  readonly requests: Requests
}

interface Size {
  readonly columns: number
  readonly rows: number
}

async function open(size: Size): Promise<Chat> {
  const requests = new Requests()
  const env = { ...terminalEnvironment, SYN_CHAT_MODEL: 'syn:large:text' }
  const opened = await openChat([requests.answer], { ...size, scrollback: 300, env })
  return { ...opened, requests }
}

/** Whether the chat waits for a message: the prompt of the line says so. */
function isIdle(lines: readonly string[]): boolean {
  return lines.findLast((line) => /^[›»]/.test(line))?.startsWith('›') ?? false
}

/** Makes the chat send a message, unless a queued one is sent. */
async function untilAsked(asking: Chat, keys: string): Promise<void> {
  const { screen, requests } = asking
  await Promise.race([requests.waiting(), screen.until(isIdle)])
  if (!requests.hasWaiting) screen.type(keys)
  // Shows the screen if there is no request.
  await Promise.race([requests.waiting(), screen.until(() => requests.hasWaiting)])
}

interface Row {
  readonly text: string
  /** In an expectation also `expect.any(Boolean)`. */
  readonly isWrapped: unknown
}

/** The rows of an answer, from its first line to its last. */
function answerRows({ screen }: Chat, turn: number): Row[] {
  const lines = screen.lines()
  const rows = lines.map((text, row) => ({ text, isWrapped: screen.cells().getLine(row)?.isWrapped ?? false }))
  const [first, last] = [`first${turn}.`, `last${turn}.`].map((mark) => lines.findIndex((line) => line.includes(mark)))
  return rows.slice(first, (last ?? 0) + 1)
}

async function answered(asked: Chat, turn: number): Promise<Row[]> {
  await asked.screen.until((lines) => lines.some((line) => line.includes(`last${turn}.`)))
  return answerRows(asked, turn)
}

function wholeOf(document: string, turn: number): string {
  return `first${turn}.\n\n${document}\n\nlast${turn}.\n`
}

/**
 * The rows without any typing, from an answer in one piece. A line with characters that some terminals draw wider may have a
 * line end where the terminal would wrap it: see `appendToRow`.
 */
async function quietRows(quiet: Chat, whole: string, turn: number): Promise<Row[]> {
  await untilAsked(quiet, 'q\r')
  quiet.requests.answerNext(chat.streamed(whole))
  let line = ''
  return (await answered(quiet, turn)).map(({ text, isWrapped }) => {
    line = isWrapped ? line + text : text
    return { text, isWrapped: hasCertainWidth(line) ? isWrapped : expect.any(Boolean) }
  })
}

async function rowsWhileTyping(busy: Chat, whole: string, turn: number, { cuts, steps }: Case): Promise<Row[]> {
  const paced = chat.paced()
  busy.requests.answerNext(paced.answer)
  const pieces = cutAt(whole, cuts)
  const each = Math.ceil(steps.length / pieces.length)
  for (const [at, piece] of pieces.entries()) {
    for (const step of steps.slice(at * each, (at + 1) * each)) await perform(busy, step)
    await paced.send(piece)
  }
  await paced.finish()
  return answered(busy, turn)
}

async function perform(busy: Chat, step: Step): Promise<void> {
  if (typeof step === 'string') return busy.screen.type(step)
  await sleep(step)
}

/** Ctrl-C ends a search, or clears the line. */
const clear = '\u0003'

test('the rows of the answer are those without typing, with any keys', async () => {
  const size = { columns: 40, rows: 12 }
  await using quiet = await open(size)
  await using busy = await open(size)
  let turn = 0
  const property = fc.asyncProperty(cases, fc.nat({ max: 9 }), async (one, chance) => {
    const whole = wholeOf(one.document, ++turn)
    const expected = await quietRows(quiet, whole, turn)
    await untilAsked(busy, `${clear}q\r`)
    if (chance === 0) return expectStopped(busy, one, turn)
    expect(await rowsWhileTyping(busy, whole, turn, one)).toEqual(expected)
  })
  await fc.assert(property, { ...samples(30), endOnFailure: true })
})

/** Esc stops the answer; no row of the footer is among its rows. */
async function expectStopped(busy: Chat, { document, steps }: Case, turn: number): Promise<void> {
  const paced = chat.paced()
  const { screen, requests } = busy
  requests.answerNext(paced.answer)
  await paced.send(`first${turn}.\n\n${document}`)
  for (const step of steps) await perform(busy, step)
  await screen.until((lines) => lines.some((line) => line.includes(`first${turn}.`)))
  const below = (lines: string[]): string[] => lines.slice(lines.findIndex((line) => line.includes(`first${turn}.`)))
  const stopped = (lines: string[]): number => below(lines).findIndex((line) => line.startsWith('stopped; '))
  // The first one may close a list or a note.
  screen.type(clear)
  screen.type('\u001b')
  await screen.until((lines) => stopped(lines) !== -1)
  const rows = below(screen.lines()).slice(0, stopped(screen.lines()))
  expect(rows.filter((row) => footerText.test(row))).toEqual([])
}

const footerText = /[§¤¶龘🦊»]|esc stops/u
