/** Any Markdown looks the same on a real terminal, rendered in pieces or at once. */

import xterm from '@xterm/headless'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { end, streamed } from '../helpers/chat-chunks.ts'
import { anyMarkdown, cutAt, render } from '../helpers/markdown.ts'
import { environment } from '../helpers/program.ts'
import { samples } from '../helpers/samples.ts'
import { startService } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

/** The screen of a terminal after this text. */
async function linesOf(written: string, cols: number): Promise<string[]> {
  const terminal = new xterm.Terminal({ cols, rows: 24, convertEol: true, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(written, resolve))
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString().trimEnd())
  return lines.map((line) => line ?? '')
}

test.concurrent.each([80, 40])('random documents in random cuts, at %d columns', async (columns) => {
  let pieces: string[] = []
  await using service = await startService((asked, response) => streamed(...pieces, end())(asked, response))
  const property = fc.asyncProperty(anyMarkdown, fc.array(fc.nat(), { maxLength: 30 }), async (text, places) => {
    pieces = cutAt(text, places)
    const screen = synOnTerminal(['chat', '-q', 'hi'], environment(service), { columns })
    await screen.ended
    const expected = (await linesOf(await render(text, { columns }), columns)).join('\n').trimEnd()
    expect(screen.lines().join('\n').trimEnd()).toBe(text.trim() === '' ? 'syn: the answer is empty' : expected)
  })
  await fc.assert(property, samples(8))
})
