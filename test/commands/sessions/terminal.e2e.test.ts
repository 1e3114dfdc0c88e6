/** Conversations on wide and narrow terminals. */

import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { conversationFiles, homeWithConversations } from '../../helpers/conversations.ts'
import { environment } from '../../helpers/program.ts'
import { draw } from '../../helpers/draw.ts'
import { synOnTerminal } from '../../helpers/terminal.ts'

const [first, second] = ['20261121-090000-aaaaaa', '20261121-080000-bbbbbb'] as const

function homeWithBoth(): string {
  return homeWithConversations(
    {
      id: first,
      name: 'a name of some length',
      turns: [['Which sea is it, and *where* does it end?', 'The **North Sea**, which ends where the Channel begins.']],
    },
    { id: second, turns: [['東京 and the sea, in as many words as it takes', '| a | b |\n|---|---|\n| 1 | 2 |']] },
  )
}

const home = homeWithBoth()

test.each<[columns: number, line: string, lines: string[]]>([
  [
    80,
    'list',
    [
      'id                      updated           turns  name or first words',
      `${first}  2026-11-21 10:15      1  a name of some length`,
      `${second}  2026-11-21 10:14      1  東京 and the sea, in as many w…`,
    ],
  ],
  [
    40,
    'list',
    ['id                      name or first w…', `${first}  a name of some…`, `${second}  東京 and the se…`],
  ],
  [
    40,
    `show ${second} --all`,
    [
      'User 2026-11-21 10:14',
      '東京 and the sea, in as many words as it',
      ' takes',
      '',
      'Assistant hf:one 2026-11-21 10:14',
      '┌───┬───┐',
      '│ a │ b │',
      '├───┼───┤',
      '│ 1 │ 2 │',
      '└───┴───┘',
    ],
  ],
  [40, 'search channel', [`${first}  a name of some…`, '  assistant  …Sea**, which ends where t…']],
])('at %i columns: %s', async (columns, line, lines) => {
  const screen = await draw(['sessions', ...line.split(' ')], { columns, env: { HOME: home, TZ: 'UTC' } })
  expect(screen.code).toBe(0)
  expect(screen.lines()).toEqual(lines)
})

test.concurrent.each([
  ['y', 0, [second], `syn: removed ${first} (a name of some length)`],
  ['\r', 0, [first, second], 'syn: nothing removed'],
  ['\u0003', 130, [first, second], ''],
])('rm asks for confirmation: %j', async (keys, code, left, notice) => {
  const home = homeWithBoth()
  const screen = synOnTerminal(['sessions', 'rm', first], { ...environment(), HOME: home })
  await screen.until((lines) => lines.join('').includes(`Remove ${first} (a name of some length)? [y]es, [n]o:`))
  screen.type(keys)
  expect(await screen.ended).toBe(code)
  expect(conversationFiles(home).map((path) => basename(path, '.jsonl'))).toEqual(left)
  expect(screen.lines().join('\n')).toContain(notice)
})
