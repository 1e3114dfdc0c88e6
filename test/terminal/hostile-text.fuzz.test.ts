/** The parts that assert that what they make is safe: Markdown, word wrap and the input line, for any text however cut. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asSafeText, safe } from '../../src/io/text/safe-text.ts'
import { terminalSink, type Io } from '../../src/io/io.ts'
import { choosePainter } from '../../src/terminal/line-editor/ansi-painter.ts'
import { boundaryFrom } from '../../src/terminal/graphemes.ts'
import { MarkdownRenderer } from '../../src/terminal/markdown/renderer.ts'
import { sanitizingFilter, type TextFilter } from '../../src/terminal/text-filter.ts'
import { wrapWords } from '../../src/terminal/wrap-words.ts'
import { WordWrap, wrapTo } from '../../src/terminal/word-wrap.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { harmfulIn, hostile } from '../helpers/hostile.ts'
import { anyMarkdown, cutAt, optionsOf } from '../helpers/markdown.ts'
import { samples } from '../helpers/samples.ts'
import { listOf } from './line-editor/marked.ts'

const escapes = [
  '&#27;[2J',
  '&#x9b;2J',
  '&#8238;',
  '&#x2066;',
  '&Tab;',
  '&#13;',
  '%1b',
  '\\u001b',
  '[a](<http://a.b/\u001b]0;t\u0007>)',
]
const part = fc.oneof(fc.constantFrom(...hostile, hostile, ...escapes, '\r\n', '\n'), anyMarkdown)
const text = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
const cuts = fc.array(fc.nat(), { maxLength: 4 })

function filtered(filter: TextFilter, whole: string, at: readonly number[]): string {
  return cutAt(whole, at)
    .map((piece) => filter.push(piece))
    .concat(filter.end())
    .join('')
}

/** What a table writes around a cell whose width is uncertain: a column, erasing, and auto-wrap. */
const placing = /\u001b\[\d+G|\u001b\[K|\u001b\[\?7[hl]/g

test('Markdown, and reasoning that is wrapped', async () => {
  const options = await optionsOf({ hasColor: true, columns: 20 })
  const property = fc.property(text, cuts, (whole, at) => {
    const shown = filtered(sanitizingFilter(new MarkdownRenderer(options)), whole, at)
    expect(harmfulIn(shown.replaceAll(placing, ''))).toEqual([])
    expect(harmfulIn(filtered(sanitizingFilter(new WordWrap({ columns: () => 20 })), whole, at))).toEqual([])
  })
  fc.assert(property, samples(40))
})

test('styled text that is wrapped', () => {
  const property = fc.property(fc.array(fc.constantFrom('a', ' ', 'ab ', '日', '👩‍🚀'), { maxLength: 30 }), (words) => {
    const text = words.join('')
    const styled = asSafeText(`\u001b[31m${text}\u001b[39m`)
    for (const lines of [wrapTo(styled, 7), wrapWords(styled, 7)]) expect(harmfulIn(lines.join('\n'))).toEqual([])
  })
  fc.assert(property, samples(20))
})

describe.each(['xterm', 'dumb'])('on TERM=%s', (TERM) => {
  test('the input line, its note and its completions', async () => {
    const any = fc.oneof(text, fc.string({ unit: anyCharacter }))
    const view = fc.record({
      text: any,
      at: fc.nat(),
      note: fc.option(any, { nil: undefined }),
      list: fc.array(any, { maxLength: 3 }).map(listOf),
    })
    const property = fc.asyncProperty(fc.array(view, { minLength: 1, maxLength: 4 }), async (views) => {
      let written = ''
      let time = 0
      const write = async (drawn: string): Promise<void> => void (written += drawn)
      const out = terminalSink(write, { columns: () => 20 })
      const plain = <Text>(shown: Text): Text => shown
      const painter = choosePainter({ env: { TERM }, out, elapsed: () => (time += 100) } as unknown as Io, {
        dim: plain,
        bold: plain,
      })
      const all = views.map(({ text: whole, at, note, list }) => {
        return { prompt: safe`> `, text: whole, cursor: boundaryFrom(whole, at % (whole.length + 1)), note, list }
      })
      const footer = { isBusy: false, activity: undefined, status: [], queued: [] }
      for (const line of all) {
        painter.show({ ...footer, line, queued: [line.text] })
        await new Promise(setImmediate)
        painter.pause()
        painter.resume()
        painter.keep(line)
      }
      painter.close()
      expect(harmfulIn(written, true)).toEqual([])
    })
    await fc.assert(property, samples(10))
  })
})
