/** Random answers, in random pieces, while random keys are pressed. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCertainWidth } from '../../src/terminal/width.ts'
import { chat } from '../helpers/dialects.ts'
import type { InteractiveChat } from '../helpers/interactive-chat.ts'
import { anyMarkdown, cutAt } from '../helpers/markdown.ts'
import { samples } from '../helpers/samples.ts'
import type { Answer } from '../helpers/service.ts'
import { terminal } from '../helpers/terminals.ts'

/** The words are in no answer. */
const characters = ['§', '¤', '§¤', '¶', '龘', '¤ §', '§'.repeat(50), '🦊', 'Q\u0308']
const controls = '\u0001\u0005\u007f\u0017\u000b\u0019\u001f\u000c\t\u0012'
const sequences = ['A', 'B', 'C', 'D', '13;2u', '200~¶\r§ ¤\u001b[201~', '<35;1;2M', '1;9Z'].map(
  (end) => `\u001b[${end}`,
)
const others = ['\u001bb', '\u001bf', '\u001b\r', '\u001b]11;rgb:0000/0000/0000\u001b\\', '\u001b_G¶\u001b\\']
/** Enter queues what stands in the line. */
const keys = fc.constantFrom(...characters, ...controls, ...sequences, ...others, '\r')

/** Keys, or a short while in milliseconds. */
const step = fc.oneof({ weight: 3, arbitrary: keys }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }) })

const cases = fc.record({
  document: anyMarkdown,
  cuts: fc.array(fc.nat(), { minLength: 2, maxLength: 10 }),
  /** What happens before each piece. */
  steps: fc.array(step, { maxLength: 12 }),
})

function open(answer: Answer): Promise<InteractiveChat> {
  return terminal.open([answer, chat.streamed('ok')], { argv: ['-m', 'syn:large:text', '--no-save'] })
}

interface Row {
  readonly text: string
  /** In an expectation also `expect.any(Boolean)`. */
  readonly isWrapped: unknown
}

/** The rows of an answer, from its first line to its last. */
async function rowsOf({ screen }: InteractiveChat): Promise<Row[]> {
  await screen.until((lines) => lines.some((line) => line.includes('last.')))
  const lines = screen.lines()
  const rows = lines.map((text, row) => ({ text, isWrapped: screen.cells().getLine(row)?.isWrapped ?? false }))
  const [first, last = 0] = ['first.', 'last.'].map((mark) => lines.findIndex((line) => line.includes(mark)))
  return rows.slice(first, last + 1)
}

/**
 * The rows without any typing, from an answer in one piece. A line with characters that some terminals draw wider may have a
 * line end where the terminal would wrap it: see `appendToRow`.
 */
async function quietRows(whole: string): Promise<Row[]> {
  await using quiet = await open(chat.streamed(whole))
  quiet.screen.type('q\r')
  let line = ''
  return (await rowsOf(quiet)).map(({ text, isWrapped }) => {
    line = isWrapped ? line + text : text
    return { text, isWrapped: hasCertainWidth(line) ? isWrapped : expect.any(Boolean) }
  })
}

test('the rows of the answer are those without typing', async () => {
  const property = fc.asyncProperty(cases, async ({ document, cuts, steps }) => {
    const whole = `first.\n\n${document}\n\nlast.\n`
    const paced = chat.paced()
    await using busy = await open(paced.answer)
    busy.screen.type('q\r')
    await paced.asked
    const pieces = cutAt(whole, cuts)
    const each = Math.ceil(steps.length / pieces.length)
    for (const [at, piece] of pieces.entries()) {
      for (const one of steps.slice(at * each, (at + 1) * each)) {
        if (typeof one === 'string') busy.screen.type(one)
        else await sleep(one)
      }
      await paced.send(piece)
    }
    await paced.finish()
    expect(await rowsOf(busy)).toEqual(await quietRows(whole))
  })
  await fc.assert(property, { ...samples(40), endOnFailure: true })
})
