/** For a screen reader: however an answer is cut into pieces, each write is of whole paragraphs, and each word comes once. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextPrinter } from '../../src/answer/text-printer.ts'
import { terminalSink } from '../../src/io/io.ts'
import { Answer } from '../../src/stream/answer.ts'
import { MarkdownRenderer } from '../../src/terminal/markdown/renderer.ts'
import { sanitizingFilter } from '../../src/terminal/text-filter.ts'
import { bare, optionsOf } from '../helpers/markdown.ts'
import { samples } from '../helpers/samples.ts'

const markdown = await optionsOf({})

async function writesOf(pieces: readonly string[]): Promise<string[]> {
  const writes: string[] = []
  const out = terminalSink((text) => Promise.resolve(void writes.push(bare(text))), { columns: () => 80 })
  const printer = new TextPrinter(out, out, new Answer(), {
    choiceCount: 1,
    title: () => '',
    showsReasoning: false,
    runsTools: false,
    isSpoken: true,
    newFilter: () => sanitizingFilter(new MarkdownRenderer(markdown)),
    newReasoningFilter: () => sanitizingFilter(),
    outStyle: undefined as never,
    errStyle: undefined as never,
    signal: new AbortController().signal,
  })
  for (const text of pieces) await printer.print([{ type: 'text', index: 0, text }])
  await printer.finish()
  return writes.filter((text) => text !== '')
}

test('each write ends with a paragraph, and each word comes once', async () => {
  const block = fc.constantFrom('%', '**%** %', '# %', '- %\n- %', '> % %\n> %', '```\n%\n\n%\n```', '1. %\n\n   %')
  const property = fc.asyncProperty(
    fc.array(block, { minLength: 1, maxLength: 8 }),
    fc.infiniteStream(fc.integer({ min: 1, max: 30 })),
    async (blocks, lengths) => {
      let count = 0
      const text = blocks.join('\n\n').replaceAll('%', () => `word${++count}`)
      const pieces: string[] = []
      for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 1) {
        pieces.push(text.slice(at, at + (lengths.next().value ?? 1)))
      }
      const writes = await writesOf(pieces)
      expect(writes.slice(0, -1).filter((written) => !written.endsWith('\n\n'))).toEqual([])
      const words = Array.from({ length: count }, (_, index) => `word${index + 1}`)
      expect(writes.join('').match(/word\d+/g)).toEqual(words)
    },
  )
  await fc.assert(property, samples(100))
})
