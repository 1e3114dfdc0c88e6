/**
 * The text above the input line: however it is written, and whatever is drawn below it meanwhile, the terminal ends up with
 * the rows of the text alone.
 */

import fc from 'fast-check'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { asSafeText, safe } from '../../../src/io/text/safe-text.ts'
import type { FooterView, TerminalSize } from '../../../src/terminal/line-editor/layout.ts'
import { boundaryFrom } from '../../../src/terminal/graphemes.ts'
import { samples } from '../../helpers/samples.ts'
import { expectRowsOfText, footerCharacters, Painted, type Operation, type Part } from './painted.ts'
import { listOf } from './marked.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const letters = ['a', 'word ', 'two words', '  ', '中文字', '日本、語。', 'x'.repeat(70), 'https://a.bc/d_e', '|']
const styled = [
  '\u001b[1mbold\u001b[22m',
  '\u001b[2m dim\u001b[22m ',
  '\u001b]8;;http://a.b/c\u001b\\link\u001b]8;;\u001b\\',
]
/** Terminals differ in the width of these. */
const uncertain = ['😀', '🎉 ', '👩‍🚀', '⚠️', '🇳🇴', 'e\u0301', '\u0301', '\ufe0f', '\u200d', '①', '\t', 'a\t']
/** What the rows of tables have. */
const positioned = ['\n│ ⚠️\u001b[12G\u001b[K│', '\n│\u001b[?7l👩‍🚀\u001b[?7h\u001b[9G\u001b[K中│']
const ends = ['\n', '\n\n', '.\n', ' \n']

const fill = fc.record({ times: fc.integer({ min: 1, max: 3 }), more: fc.integer({ min: -1, max: 1 }) })

const text = fc.constantFrom<Part>(
  ...letters,
  ...letters,
  ...styled,
  ...uncertain,
  ...positioned,
  ...ends,
  ...ends,
  ...ends,
)
const parts = fc.array(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fill }), {
  minLength: 1,
  maxLength: 5,
})

const typed = fc.string({ unit: fc.constantFrom(...footerCharacters, '\n', '🦊', 'Q\u0308', '\t'), maxLength: 40 })

const shown = typed.map((text) => asSafeText(`§${text.replaceAll(/\s/g, '¤')}`))
const line = fc
  .record({
    text: typed,
    at: fc.nat({ max: 40 }),
    note: fc.option(typed, { nil: undefined, freq: 4 }),
    list: fc.array(typed, { maxLength: 12 }).map(listOf),
  })
  .map(({ at, ...others }) => ({ prompt: safe`§ `, cursor: boundaryFrom(others.text, at), ...others }))
const view: fc.Arbitrary<FooterView> = fc.record({
  line,
  isBusy: fc.boolean(),
  activity: fc.option(shown, { nil: undefined, freq: 3 }),
  status: fc.array(shown, { maxLength: 3 }),
  queued: fc.array(typed, { maxLength: 6 }),
})

const operation = fc.oneof(
  { weight: 2, arbitrary: parts.map((parts): Operation => ({ does: 'write', parts })) },
  { weight: 2, arbitrary: view.map((view): Operation => ({ does: 'show', view })) },
  { weight: 2, arbitrary: fc.constant<Operation>({ does: 'settle' }) },
  fc.constantFrom('kept', 'k'.repeat(90), 'two\nlines').map((text): Operation => ({ does: 'keep', text })),
  fc.constant<Operation>({ does: 'pushScreen' }),
  fc.constant<Operation>({ does: 'pause' }),
  fc.boolean().map((isElsewhere): Operation => ({ does: 'resume', isElsewhere })),
)
const size: fc.Arbitrary<TerminalSize> = fc.record({
  columns: fc.integer({ min: 16, max: 60 }),
  rows: fc.integer({ min: 6, max: 24 }),
})

test('is row for row that of a terminal without an input line', async () => {
  const operations = fc.array(operation, { minLength: 1, maxLength: 25 })
  const property = fc.asyncProperty(size, operations, async (size, operations) => {
    const painted = new Painted(size)
    for (const operation of operations) await painted.perform(operation)
    await painted.close()
    await expectRowsOfText(painted, size)
  })
  await fc.assert(property, samples(24))
})
