/** `syn sessions rm` and `rename`. */

import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  conversationFiles,
  conversationsFolder,
  homeWithConversations,
  linesIn,
  sessions,
} from '../../helpers/conversations.ts'

const [first, second, third] = ['20261121-090000-aaaaaa', '20261121-080000-bbbbbb', '20261121-070000-cccccc'] as const

function known(): string {
  return homeWithConversations(
    { id: first, name: 'one', turns: [['a', 'b']] },
    { id: second, name: 'two', turns: [['c', 'd']] },
    { id: third, turns: [['e', 'f']] },
  )
}

function idsIn(home: string): string[] {
  return conversationFiles(home).map((path) => basename(path, '.jsonl'))
}

describe('rm', () => {
  test.each([
    [['one'], [second, third]],
    [['one', third], [second]],
    [
      ['one', first, 'one'],
      [second, third],
    ],
  ])('--yes %j', async (words, left) => {
    const home = known()
    const { code, out, err } = await sessions(home, ['rm', '--yes', ...words])
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: expect.stringMatching(/^syn: removed .+\n$/) })
    expect(idsIn(home)).toEqual(left)
  })

  test.each([
    ['', ''],
    ['noise\n', `FILE: skipped line 1: damaged\nsyn: `],
  ])('of one in which nothing is said says so: %j', async (text, trouble) => {
    const home = known()
    const path = join(conversationsFolder(home), '20261120-070000-dddddd.jsonl')
    writeFileSync(path, text)
    expect(await sessions(home, ['rm', '--yes', '20261120'])).toEqual({
      code: 0,
      out: '',
      err: `syn: ${trouble.replace('FILE', path)}removed 20261120-070000-dddddd (nothing is said in it)\n`,
    })
    expect(idsIn(home)).toEqual([first, second, third])
  })

  test.each([
    [['one'], 'nobody is there to be asked\nhint: --yes removes without a question\n'],
    [['--yes', 'one', 'three'], 'there is no conversation "three"\nhint: syn sessions lists them\n'],
    [['--yes', '20261121-0'], 'there are 3 conversations "20261121-0"\nhint: name one by its id: '],
  ])('%j removes nothing', async (argv, message) => {
    const home = known()
    const { code, err } = await sessions(home, ['rm', ...argv])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`syn: ${message}`) })
    expect(idsIn(home)).toEqual([first, second, third])
  })
})

describe('rename', () => {
  test('is a line in the file, after which the new name counts', async () => {
    const home = known()
    expect(await sessions(home, ['rename', 'two', ' New name '])).toEqual({
      code: 0,
      out: '',
      err: `syn: ${second} is named "New name" from now on\n`,
    })
    expect((await sessions(home, ['show', 'New name'])).code).toBe(0)
    expect((await sessions(home, ['show', 'two'])).code).toBe(2)
    await sessions(home, ['rm', '--yes', 'one', third])
    expect(linesIn(home).at(-1)).toMatchObject({ type: 'name', name: 'New name' })
  })

  test('the latest stays the latest', async () => {
    const home = known()
    await sessions(home, ['rename', third, 'three'])
    const { out } = await sessions(home, ['list'])
    expect(out.match(/^\S+/gm)).toEqual([first, second, third])
  })

  test('to the name it has', async () => {
    expect((await sessions(known(), ['rename', 'one', 'one'])).code).toBe(0)
  })

  test.each([
    [['one', 'two'], `there is a conversation named "two" already: ${second}\n`],
    [['one', ''], 'NEW: the name is empty\n'],
    [['one', '20261121'], 'NEW: "20261121" looks like an id; expected a name\n'],
    [['one', ' 20261121-'], 'NEW: "20261121-" looks like an id; expected a name\n'],
    [['one', '20261121-09'], 'NEW: "20261121-09" looks like an id; expected a name\n'],
    [['one', 'a\nb'], 'NEW: "a\\nb" holds control characters; expected a name\n'],
    [['three', 'x'], 'there is no conversation "three"\n'],
  ])('%j is refused', async (words, message) => {
    const { code, err } = await sessions(known(), ['rename', ...words])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`syn: ${message}`) })
  })
})
