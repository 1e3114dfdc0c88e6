/** The list below the line, while an answer arrives and at rest. */

import { describe, expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { json, type Answer } from '../helpers/service.ts'
import { answering, terminal } from '../helpers/terminals.ts'

const [up, down, left, escape] = ['\u001b[A', '\u001b[B', '\u001b[D', '\u001b[27u']
const hello = dialect.streamed('Hello')

/** Types, and waits for the rows at the end of the screen. */
async function type({ screen }: InteractiveChat, keys: string, ...rows: string[]): Promise<void> {
  screen.type(keys)
  await screen.until((lines) => rows.every((row, at) => lines.at(at - rows.length)?.startsWith(row) === true))
}

/** Types what has no effect that shows, and waits until it is handled. */
async function settle(opened: InteractiveChat, keys: string, shown: string): Promise<void> {
  opened.screen.type(`${keys}§`)
  await opened.screen.until((lines) => lines.some((line) => line.endsWith(`${shown}§`)))
  opened.screen.type('\u007f')
  await opened.screen.until((lines) => lines.some((line) => line.endsWith(shown)))
}

/** Everything that is on the screen and above it when a chat has ended, in which these keys were typed. */
async function linesWith(keys: readonly string[]): Promise<string[]> {
  const { rows } = terminal
  const paced = dialect.paced()
  await using opened = await terminal.open([paced.answer, hello])
  const { screen } = opened
  const all = async (): Promise<void> => {
    for (const key of keys) {
      const before = screen.written().length
      screen.type(key)
      await screen.until(() => screen.written().length > before)
    }
    screen.type('\u0001\u000b')
  }
  screen.type('one\r')
  // The last ones scroll the first ones away.
  for (const part of [1, 2, 3]) {
    const lines = Array.from({ length: rows / 4 }, (_, index) => `line ${part}.${index}\n\n`)
    await paced.send(lines.join(''))
    await screen.until((shown) => shown.includes(lines.at(-1)!.trim()))
    await all()
  }
  await paced.finish('end')
  await screen.until((lines) => lines.at(-1) === '›')
  await all()
  await opened.enter('two')
  screen.type('\u0004')
  await screen.ended
  // The times differ, and the ID of the conversation.
  const end = screen.lines().findIndex((line) => line.startsWith('to continue'))
  return screen
    .lines()
    .slice(0, end)
    .map((line) => (/token|^s/.test(line) ? line.replaceAll(/[\d.]+/g, '1') : line))
}

test.concurrent('the scrollback is that of a chat without a list', async () => {
  const keys = ['/mo', down, '\u0015/ra', '\t', down, down, up, '\r', '\u0015/', down, escape, '\u0015/load', ' ']
  // The list of an argument of /raw is there at once: without it, Enter would send the line.
  const [withList, without] = await Promise.all([linesWith(keys), linesWith(['z', 'y'])])
  expect(withList).toEqual(without)
})

test.concurrent('while an answer arrives, the list opens, filters, and is left by Tab, Enter and Esc', async () => {
  await using chatting = await answering([hello])
  const { opened, type, paced } = chatting
  await type('/mo', '» /mo', '  /model  Switch to a model; alone, sh…')
  await paced.send('second ')
  await opened.screen.until((lines) => lines.includes('First second') && (lines.at(-1) ?? '').startsWith('  /model'))
  await type(escape, '» /mo')
  await type('\u0015/ra\t', '» /raw', '  on', '  off')
  await type(down, '» /raw', '> on', '  off')
  await type('\r', '» /raw on')
  await type(`\u0015next`, '» next')
  await paced.finish('third')
  await opened.screen.until((lines) => lines.includes('First second third') && lines.at(-1) === '› next')
  const { length } = opened.screen.lines().filter((line) => /^[ >] (\/model|on|off)/.test(line))
  expect(length).toBe(0)
})

test.concurrent('a resize keeps the list, and the candidate that is chosen', async () => {
  await using opened = await terminal.open([hello])
  const { columns, rows } = terminal
  await type(opened, '/re', '› /re', '  /retry', '  /rename', '  /reasoning')
  await type(opened, down + down, '  /retry', '> /rename', '  /reasoning')
  const isListed = (lines: string[]): boolean => lines.at(-2)?.startsWith('> /rename') === true
  const resized = async (to: number, isThere: (lines: string[]) => boolean): Promise<void> => {
    const before = opened.screen.written().length
    opened.screen.resize(columns - 3, to)
    await opened.screen.until((lines) => opened.screen.written().includes('/re', before) && isThere(lines))
  }
  await resized(rows - 1, isListed)
  // Too low: it takes no keys either.
  await resized(9, (lines) => lines.at(-1) === '› /re')
  await resized(rows, isListed)
  await type(opened, escape, '› /re')
  expect(opened.screen.lines().filter((line) => /^[> ] \/re|^[›»] /.test(line))).toEqual(['› /re'])
})

test.concurrent('on a low terminal, a list that is not shown takes no keys', async () => {
  await using opened = await openChat([hello], { columns: 80, rows: 9 })
  await opened.enter('one')
  await type(opened, '/mo', '› /mo')
  await type(opened, up, '› one')
  await type(opened, down, '› /mo')
  await type(opened, '\t', '› /model')
})

test.concurrent.each<[what: string, keys: string, rows: string[]]>([
  ['Enter alone sends the line as typed', '/mo\r', ['syn: unknown command "/mo"', 'hint:', '', 'syn:large:text', '›']],
  ['Enter runs a command of this name', '/raw\r', ['Markdown: rendered', '', '', '›']],
  ['Tab opens it again', `/sy${escape}s\t`, ['› /system']],
  ['Backspace filters again', '/raw\u007f\u007f\u007fundo', ['› /undo', '  /undo']],
  ['a text of the history has a list when it is changed', `/raw on\r${up}\u007f\u007fo`, ['› /raw o', '  on', '  off']],
  ['the middle of an argument has none', `/raw on${left}`, ['› /raw on']],
  ['text around a command', `/mo x${left}${left}\u007fo`, ['› /mo x', '  /model']],
  ['the second line has none', 'a\u001b\r/mo', ['  /mo']],
  ['the search has none', '/ra\u0012', ['› /ra', 'search:']],
  ['paths have none', '/tmp/mo', ['› /tmp/mo']],
])('%s', async (_what, keys, rows) => {
  await using opened = await openChat([hello], { env: { NO_COLOR: '1' } })
  await opened.enter('one')
  await opened.screen.until((lines) => lines.at(-2)?.includes('token') === true || lines.at(-1) === '›')
  for (const key of keys.match(/\u001b\[[\d;]*[A-Zu]|\u001b\r|[^]/g) ?? []) opened.screen.type(key)
  const isThere = (lines: string[]): boolean =>
    rows.every((row, at) => lines.at(at - rows.length)?.startsWith(row) === true)
  await opened.screen.until(isThere)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(isThere(opened.screen.lines()), opened.screen.lines().join('\n')).toBe(true)
})

describe.concurrent('the service', () => {
  const listed = json({ data: [{ id: 'hf:one/small' }, { id: 'hf:one/large' }] })

  test.each<[what: string, models: Answer, row: string]>([
    ['that fails', json({ error: 'no' }, 500), '  syn:large:text'],
    ['that has models', listed, '  hf:one/large'],
  ])('%s is asked once for the models of an argument', async (_what, models, row) => {
    await using opened = await openChat([
      (asked, response) => (asked.path.endsWith('/models') ? models : hello)(asked, response),
    ])
    opened.screen.type('/model ')
    await opened.screen.until((lines) => lines.some((line) => line.startsWith(row)))
    for (const letter of 'hf:one/x') await settle(opened, letter, letter)
    expect(opened.service.asked.filter(({ path }) => path.endsWith('/models'))).toHaveLength(1)
  })

  test('that answers late gives no list to another word', async ({ expect }) => {
    let answer = (): void => undefined
    const late: Answer = (asked, response) => void (answer = () => void listed(asked, response))
    await using opened = await openChat([late])
    opened.screen.type('/model ')
    await expect.poll(() => opened.service.asked.length).toBe(1)
    await type(opened, '\u0015/raw ', '› /raw', '  on', '  off')
    answer()
    await settle(opened, 'o', '/raw o')
    await type(opened, '', '  on', '  off')
  })
})
