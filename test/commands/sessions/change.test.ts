/** `syn sessions rm` and `rename`. */

import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  conversationFiles,
  conversationsFolder,
  homeWithConversations,
  linesIn,
  partFiles,
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

  test('removes the parts of answers, too, and of no other conversation', async () => {
    const home = known()
    const folder = conversationsFolder(home)
    const parts = [`${first}.aaaaaaaa.part`, `${first}.bbbbbbbb.part`, `${second}.aaaaaaaa.part`, `${first}.note.part`]
    for (const name of parts) writeFileSync(join(folder, name), '')
    await sessions(home, ['rm', '--yes', 'one'])
    expect(partFiles(home).map((path) => basename(path))).toEqual(parts.slice(2).toSorted())
  })

  test('of an empty one says so', async () => {
    const home = known()
    writeFileSync(join(conversationsFolder(home), '20261120-070000-dddddd.jsonl'), '')
    expect(await sessions(home, ['rm', '--yes', '20261120'])).toEqual({
      code: 0,
      out: '',
      err: 'syn: removed 20261120-070000-dddddd (empty)\n',
    })
    expect(idsIn(home)).toEqual([first, second, third])
  })

  test.each([
    [['one'], 'cannot ask for confirmation without a terminal\nhint: use --yes\n'],
    [['--yes', 'one', 'three'], 'no such conversation "three"\nhint: use syn sessions to list them\n'],
  ])('%j removes nothing', async (argv, message) => {
    const home = known()
    const { code, err } = await sessions(home, ['rm', ...argv])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`syn: ${message}`) })
    expect(idsIn(home)).toEqual([first, second, third])
  })
})

describe('rename', () => {
  test('appends a line to the file, and the new name applies', async () => {
    const home = known()
    expect(await sessions(home, ['rename', 'two', ' New name '])).toEqual({
      code: 0,
      out: '',
      err: `syn: renamed ${second} to "New name"\n`,
    })
    expect((await sessions(home, ['show', 'New name'])).code).toBe(0)
    expect((await sessions(home, ['show', 'two'])).code).toBe(2)
    await sessions(home, ['rm', '--yes', 'one', third])
    expect(linesIn(home).at(-1)).toMatchObject({ type: 'name', name: 'New name' })
  })

  test.each([
    [['one', 'two'], `the name "two" is already taken by conversation ${second}\n`],
    [['one', ' last'], 'NEW: "last" means the latest conversation; expected a name\n'],
    [['one', '20261121'], 'NEW: "20261121" looks like an ID; expected a name\n'],
    [['one', 'a\nb'], 'NEW: "a\\nb" contains control characters\n'],
  ])('%j is refused', async (words, message) => {
    const { code, err } = await sessions(known(), ['rename', ...words])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`syn: ${message}`) })
  })
})
