/** When Markdown is rendered; test/terminal/markdown tests how. */

import { expect, test } from 'vitest'
import { chat } from '../../helpers/chat.ts'
import { delta, end, streamed } from '../../helpers/chat-chunks.ts'
import { bare } from '../../helpers/markdown.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'

const markdown = '# One\n- two\nthree'
const laidOut = 'One\n\n• two\n  three\n'
const asItIs = `${markdown}\n`

test.each<[title: string, argv: string[], isTerminal: boolean, out: string]>([
  ['on a terminal', [], true, laidOut],
  ['in a pipe', [], false, asItIs],
  ['in a pipe, for a pager', ['--color'], false, laidOut],
  ['without color', ['--no-color'], true, '# One\n\n• two\n  three\n'],
])('%s', async (_title, argv, isTerminal, out) => {
  const answer = streamed(markdown, end())
  expect(bare((await chat([...argv, 'hi'], { answer, isTerminal })).out)).toBe(out)
})

test.each<[theme: string, out: string]>([
  ['none', '## a\n'],
  ['light', '\u001b[1m\u001b[34ma\u001b[39m\u001b[22m\n'],
])('the setting theme %s', async (theme, out) => {
  const env = { HOME: emptyFolder(), TERM: 'xterm' }
  expect(await runSyn(['config', 'set', 'theme', theme], { env })).toMatchObject({ code: 0 })
  expect(await chat(['hi'], { answer: streamed('## a', end()), isTerminal: true, env })).toMatchObject({ out })
})

test('2 KB in 500 deltas are rendered like one', async () => {
  const chapter =
    '## One\n\nSome **bold** text, 中文字。\n\n- a\n- b\n\n|a|b|\n|-|-|\n|c|d|\n\n```ts\nlet a = 1\n```\n\n'
  const text = chapter.repeat(Math.ceil(2000 / chapter.length))
  const pieces = Array.from({ length: 500 }, (_, at) => text.slice(at * 4, at * 4 + 4))
  const cut = await chat(['hi'], { answer: streamed(...pieces.map((piece) => delta(piece)), end()), isTerminal: true })
  const uncut = await chat(['hi'], { answer: streamed(pieces.join(''), end()), isTerminal: true })
  expect(cut.out.length).toBeGreaterThan(1000)
  expect(cut.out).toBe(uncut.out)
})
