/** Escape sequences, as the SVG shows them. */

import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { drawnLines } from '../../../man/picture/drawing.ts'
import { ground } from '../../../man/picture/palette.ts'

/** The SVG elements of each line of the screen. */
async function drawn(written: string): Promise<string[]> {
  const terminal = new xterm.Terminal({ cols: 20, rows: 4, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(written, resolve))
  return drawnLines(terminal.buffer.active)
}

const text = '#d5d9e2'

test.each([
  ['a background color', '\u001b[41m \u001b[0m', '<rect x="22" y="54" width="8.4" height="20" fill="#e67e88"/>'],
  ['inverse', '\u001b[7ma\u001b[0m', `fill="${text}"/><text x="22" y="68.5" fill="${ground}">a`],
  ['what SVG would take for its own', '<&>"', 'textLength="33.6" fill="#d5d9e2">&lt;&amp;&gt;&quot;</text>'],
])('%s', async (_what, written, svg) => {
  expect(await drawn(written)).toEqual([expect.stringContaining(svg)])
})

test('cells that look alike are one run, without the spaces around it', async () => {
  expect(textsOf(await drawn('  a b \u001b[1mc\u001b[0m d  '))).toEqual([
    ['38.8', '25.2', 'a b'],
    ['72.4', undefined, 'c'],
    ['89.2', undefined, 'd'],
  ])
})

test('a wide character has its own place, and so has what follows it', async () => {
  expect(textsOf(await drawn('a日本b'))).toEqual([
    ['22', undefined, 'a'],
    ['30.4', undefined, '日'],
    ['47.2', undefined, '本'],
    ['64', undefined, 'b'],
  ])
})

test('the lines of a table are strokes that meet', async () => {
  const [top = '', row = '', bottom = ''] = await drawn('┌──┐\r\n│a │\r\n└──┘')
  expect(top).toContain('d="M26.5 64.5H51.5M26.5 64.5V74M51.5 64.5V74"')
  expect(row).toContain('d="M26.5 74V94"')
  expect(row).toContain('d="M51.5 74V94"')
  expect(bottom).toContain('d="M26.5 104.5H51.5M26.5 94V104.5M51.5 94V104.5"')
})

/** Position, length and content of each text. */
function textsOf(lines: readonly string[]): (string | undefined)[][] {
  const texts = lines.join('').matchAll(/<text x="([\d.]+)" y="[\d.]+"(?: textLength="([\d.]+)")?[^>]*>(.*?)<\/text>/g)
  return [...texts].map(([, x, length, content]) => [x, length, content])
}
