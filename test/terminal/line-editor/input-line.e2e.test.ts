/** The input line on a pseudo-terminal: keys in, screen out. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { leave, send, startChat, type } from './program.ts'

const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`

describe.each([80, 40])('in %i columns', (columns) => {
  test('what is sent stands there once, and as it was written', async () => {
    const screen = await startChat({}, { columns })
    await type(screen, 'helo\u001b[Dl\u0005 日本 👍', '> hello 日本 👍')
    await send(screen, '')
    await type(screen, 'one\u001b\rtwo\\\rthree', '  three')
    await send(screen, '')
    await type(screen, '"""\rfour\r\r5"""', '  5"""')
    await send(screen, '')
    expect(await leave(screen)).toBe(0)
    expect(screen.lines()).toEqual([
      '> hello 日本 👍',
      '"hello 日本 👍"',
      '> one',
      '  two',
      '  three',
      '"one\\ntwo\\nthree"',
      '> """',
      '  four',
      '',
      '  5"""',
      '"four\\n\\n5"',
      'bye',
    ])
  })

  test('a window that changes its width doubles no line', async () => {
    const screen = await startChat({}, { columns })
    const text = 'a text of many words that goes on for longer than the terminal is wide, however wide it is'
    await type(screen, `first\u001b\r${text}\u001b\rlast`, '  last')
    for (const width of [30, 100, 50]) {
      const written = screen.written().length
      screen.resize(width, 24)
      await screen.until((lines) => screen.written().length > written && lines.at(-1) === '  last')
    }
    await send(screen, '')
    const lines = screen.lines()
    expect(lines.filter((line) => line.startsWith('> first'))).toHaveLength(1)
    expect(lines.slice(0, 4)).toEqual(['> first', `  ${text.slice(0, 48)}`, text.slice(48), '  last'])
    await leave(screen)
  })
})

test('a paste of 500 lines is one message, and the screen shows the end of it', async () => {
  const screen = await startChat()
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}`)
  await type(screen, paste(lines.join('\r')), '  line 500')
  expect(screen.lines()[0]).toBe('> … 488 more lines')
  expect(screen.lines()).toHaveLength(13)
  await send(screen, '')
  await leave(screen)
  const answer = screen
    .written()
    .split('\n')
    .filter((line) => line.startsWith('"'))
  expect(answer.map((line) => JSON.parse(line) as unknown)).toEqual([lines.join('\n')])
  expect(screen.lines().filter((line) => /^(>|  )/.test(line))).toEqual([
    '> line 1',
    ...lines.slice(1, 12).map((line) => `  ${line}`),
    '  … 488 more lines',
  ])
})

test('a paste can neither leave nor write on the terminal', async () => {
  const screen = await startChat()
  await type(screen, paste('a\u0003\u0004\u001b[2J\tb'), '> a␃␄␛[2J    b')
  await send(screen, '')
  expect(screen.lines()[1]).toBe(JSON.stringify('a\u0003\u0004\u001b[2J\tb'))
  await leave(screen)
})

test('the next run knows what was sent, and Ctrl-R finds it', async () => {
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

test('Tab completes what is certain, and lists the rest when asked again', async () => {
  const screen = await startChat()
  await type(screen, '/mo\t', '> /model')
  await type(screen, '\t', '/model   /models')
  await type(screen, 's\t', '> /models')
  await send(screen, '')
  expect(screen.lines()).toEqual(['> /models', '"/models "', '>'])
  await leave(screen)
})

describe('an answer', () => {
  test('is stopped by Ctrl-C, and what is typed meanwhile waits for the next turn', async () => {
    const screen = await startChat()
    await type(screen, '/busy\r', 'answering')
    screen.type(`next\rquestion${paste(' is\r日本')}?\r\u0003`)
    await screen.until((lines) => lines.at(-1) === '> next')
    expect(screen.lines()).toEqual(['> /busy', 'answering', '"/busy"', '> next'])
    screen.type('\r')
    await screen.until((lines) => lines.at(-1) === '  日本?')
    expect(screen.lines().slice(-3)).toEqual(['"next"', '> question is', '  日本?'])
    await send(screen, '')
    expect(screen.lines().at(-2)).toBe('"question is\\n日本?"')
    await leave(screen)
  })

  test('that comes at once takes nothing of what was typed behind the Enter', async () => {
    const screen = await startChat()
    await type(screen, 'one\rtwo', '> two')
    expect(screen.lines()).toEqual(['> one', '"one"', '> two'])
    await leave(screen)
  })
})

describe('the editor', () => {
  /** The environment with an editor that keeps a copy of what it was given and of who may read it, and writes something else. */
  const editor = (folder: string, status = 0): Record<string, string> => {
    const script = join(folder, 'editor.sh')
    writeFileSync(
      script,
      `cd; cp "$1" given; stat -c %a "$1" > mode; echo "$1" > path; printf 'from\\nthe editor\\n' > "$1"; exit ${status}`,
    )
    // A notice names the command: as short as this it fits in, wherever the folder is.
    return { HOME: folder, EDITOR: 'sh ~/editor.sh' }
  }

  test.each([
    ['Ctrl-G', 'draft\u0007', 'draft'],
    ['/edit', '/edit\r', ''],
  ])('opens at %s, and what it leaves stands in the line', async (_how, keys, given) => {
    const folder = emptyFolder()
    const screen = await startChat(editor(folder))
    await type(screen, keys, '  the editor')
    await send(screen, '!')
    expect(screen.lines()).toContain('"from\\nthe editor!"')
    expect(readFileSync(join(folder, 'given'), 'utf8')).toBe(given)
    expect(readFileSync(join(folder, 'mode'), 'utf8')).toBe('600\n')
    expect(existsSync(readFileSync(join(folder, 'path'), 'utf8').trim())).toBe(false)
    await leave(screen)
  })

  test('leaves what was typed meanwhile for the lines after its text, unsent', async () => {
    const screen = await startChat(editor(emptyFolder()))
    await type(screen, '/edit\rtwo\rthree', '  the editor')
    expect(screen.lines().slice(-2)).toEqual(['> from', '  the editor'])
    await type(screen, '\r', '> two')
    await type(screen, '\r', '> three')
    screen.type('\u0003')
    await leave(screen)
  })

  test.each([80, 40])('that fails costs nothing, and how it failed is seen at %d columns', async (columns) => {
    const screen = await startChat(editor(emptyFolder(), 3), { columns })
    screen.type('draft\u0007')
    await screen.until((lines) => lines.slice(1).join(' ').includes('failed with status 3'))
    expect(screen.lines()[0]).toBe('> draft')
    await leave(screen)
  })
})
