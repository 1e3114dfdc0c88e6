/** The input line on a pseudo-terminal: keys in, screen out. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { leave, send, startChat, type } from './program.ts'
import { widths } from '../../helpers/samples.ts'
import { byHand } from '../../helpers/terminal.ts'

const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`

test.each(widths)('a sent message appears once, as it was written, in %i columns', async (columns) => {
  const screen = await startChat({}, { columns })
  await type(screen, 'helo\u001b[Dl\u0005 日本 👍', '> hello 日本 👍')
  await send(screen, '')
  await type(screen, byHand('one\u001b\rtwo\\\rthree'), '  three')
  await send(screen, '')
  expect(await leave(screen)).toBe(0)
  expect(screen.lines()).toEqual([
    '> hello 日本 👍',
    '"hello 日本 👍"',
    '> one',
    '  two',
    '  three',
    '"one\\ntwo\\nthree"',
    'bye',
  ])
})

test('a paste of 500 lines is one message, of which the screen shows the end', async () => {
  const screen = await startChat()
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}`)
  await type(screen, paste(lines.join('\r')), '  line 500')
  expect(screen.lines()[0]).toBe('> … 488 more lines')
  expect(screen.lines()).toHaveLength(13)
  await send(screen, '')
  await leave(screen)
  const answer = screen
    .written()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/\u001b\[[?\d;]*[A-Za-z]/g, '')
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith('"'))
  expect(answer.map((line) => JSON.parse(line) as unknown)).toEqual([lines.join('\n')])
  expect(screen.lines().filter((line) => /^(>|  )/.test(line))).toEqual([
    '> line 1',
    ...lines.slice(1, 12).map((line) => `  ${line}`),
    '  … 488 more lines',
  ])
})

test('the next run has the history, and Ctrl-R searches it', async () => {
  const env = { HOME: emptyFolder() }
  const first = await startChat(env)
  await send(first, 'first of all')
  await send(first, 'two\u001b\rlines')
  expect(await leave(first)).toBe(0)

  const second = await startChat(env)
  await type(second, '\u001b[A', '  lines')
  await type(second, '\u001b[A\u001b[A', '> first of all')
  await type(second, '\u001b[B\u001b[B\u001b[B', '>')
  await type(second, '\u0012of', 'search: of')
  expect(second.lines()[0]).toBe('> first of all')
  await send(second, '')
  expect(second.lines()).toEqual(['> first of all', '"first of all"', '>'])
  await leave(second)
})

test('Ctrl-C stops an answer, and typed lines wait for the next reads', async () => {
  const screen = await startChat()
  screen.type('/busy\r')
  await screen.until((lines) => lines.includes('answering'))
  screen.type(`next\r\u0005question${paste(' is\r日本')}?\r\u0003`)
  await screen.until((lines) => lines.at(-1) === '> next')
  expect(screen.lines().filter(Boolean)).toEqual([
    '> /busy',
    'answering',
    '"/busy"',
    'not sent (Up): question is',
    '               日本?',
    '> next',
  ])
  await type(screen, '\u0015\u001b[A', '  日本?')
  await send(screen, '')
  expect(screen.lines().at(-2)).toBe('"question is\\n日本?"')
  await leave(screen)
})

describe('the editor', () => {
  /** The environment with an editor that copies its file and the permissions of it, and writes another text. */
  const editor = (folder: string, status = 0): Record<string, string> => {
    const script = join(folder, 'editor.sh')
    writeFileSync(
      script,
      `cd; cp "$1" given; stat -c %a "$1" > mode; echo "$1" > path; printf 'from\\nthe editor\\n' > "$1"; exit ${status}`,
    )
    // The error names the command, which must be short enough for the line.
    return { HOME: folder, EDITOR: 'sh ~/editor.sh' }
  }

  test('Ctrl-G opens it, and the saved text is in the line', async () => {
    const folder = emptyFolder()
    const screen = await startChat(editor(folder))
    await type(screen, 'draft\u0007', '  the editor')
    await send(screen, '!')
    expect(screen.lines()).toContain('"from\\nthe editor!"')
    expect(readFileSync(join(folder, 'given'), 'utf8')).toBe('draft')
    expect(readFileSync(join(folder, 'mode'), 'utf8')).toBe('600\n')
    expect(existsSync(readFileSync(join(folder, 'path'), 'utf8').trim())).toBe(false)
    await leave(screen)
  })

  test.each(widths)('a failure is shown, and the saved text is in the line, in %d columns', async (columns) => {
    const screen = await startChat(editor(emptyFolder(), 3), { columns })
    screen.type('draft\u0007')
    await screen.until((lines) => lines.slice(1).join(' ').includes('exited with status 3'))
    expect(screen.lines().slice(0, 2)).toEqual(['> from', '  the editor'])
    await type(screen, '\u0003', '>')
    await leave(screen)
  })
})
