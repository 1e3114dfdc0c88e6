/** Unreadable and damaged files, and which commands report them. */

import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { end, streamed } from '../../helpers/chat-chunks.ts'
import {
  conversationFiles,
  conversationsFolder,
  homeWithConversations,
  sessions,
  runChats,
} from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { needsPermissions, isUnix } from '../../helpers/modes.ts'

const [first, second, third] = ['20261121-090000-aaaaaa', '20261121-080000-bbbbbb', '20261121-070000-cccccc'] as const

/** The second is damaged. */
function oneDamaged(): { home: string; notice: string } {
  const home = homeWithConversations(
    { id: first, name: 'whole', turns: [['a', 'b']] },
    { id: second, name: 'damaged', turns: [['c', 'd']] },
    { id: third, turns: [['e', 'f']] },
  )
  const [, path = ''] = conversationFiles(home)
  appendFileSync(path, 'noise\n')
  return { home, notice: `syn: ${path}: skipped line 7: damaged\n` }
}

describe('damage is reported', () => {
  test.each([[['list']], [['search', 'c']], [['show', 'damaged']]])('by syn sessions %j', async (argv) => {
    const { home, notice } = oneDamaged()
    expect((await sessions(home, argv)).err).toBe(notice)
  })

  test('and not by what is about another one', async () => {
    const { home } = oneDamaged()
    expect(await sessions(home, ['show', 'whole'])).toMatchObject({ code: 0, err: '' })
    expect((await sessions(home, ['rm', '--yes', 'whole'])).err).toMatch(/^syn: removed .*\n$/)
  })

  test.each([
    [['--session', 'damaged'], true],
    [['-c'], false],
  ])('by syn chat %j: %s', async (argv, isTold) => {
    const { home, notice } = oneDamaged()
    const { outcomes } = await runChats(home, [streamed('Hi', end())], [...argv, 'x'])
    expect(outcomes).toEqual([{ code: 0, out: 'Hi\n', err: isTold ? notice : '' }])
  })

  test('but an unreadable file may be the one that was not found', async () => {
    const home = homeWithConversations({ id: first, name: 'x', turns: [['a', 'b']] })
    const [path = ''] = conversationFiles(home)
    const header = { type: 'conversation', at: '', version: 2, id: second }
    const name = { type: 'name', at: '', name: 'y' }
    const newer = path.replace(first, second)
    writeFileSync(newer, `${JSON.stringify(header)}\n${JSON.stringify(name)}\n`)
    const leftAlone = `syn: cannot read ${newer}: written by a newer version of syn (format 2)\n`
    expect((await sessions(home, ['show', 'y'])).err).toBe(
      `${leftAlone}syn: no such conversation "y"\nhint: use syn sessions to list them\n`,
    )
    expect(await sessions(home, ['show', second])).toEqual({ code: 1, out: '', err: leftAlone })
    expect((await sessions(home, ['show', 'x'])).err).toBe('')
  })
})

describe('an unreadable directory is reported in one line', () => {
  /** A directory that not even root can read: a link to itself. */
  function unreadable(): { home: string; folder: string } {
    const home = emptyFolder()
    const folder = conversationsFolder(home)
    mkdirSync(dirname(folder), { recursive: true })
    symlinkSync(folder, folder)
    return { home, folder }
  }

  test('by syn sessions and syn chat', async () => {
    const { home, folder } = unreadable()
    const outcome = {
      code: 1,
      out: '',
      err: `syn: cannot read the directory ${folder}: too many levels of symbolic links\n`,
    }
    for (const argv of [['list'], ['rm', '--yes', 'x']]) expect(await sessions(home, argv)).toEqual(outcome)
    expect(await runChats(home, [], ['-c', 'x'])).toMatchObject({ outcomes: [outcome], sent: [] })
  })
})

test.each(['.local/share/syn/conversations', '.local'])(
  'a file in place of the folder ~/%s is reported',
  async (name) => {
    const home = emptyFolder()
    const path = join(home, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    const what = name === '.local' ? `${path} is not a directory` : 'not a directory'
    const err = `syn: cannot read the directory ${conversationsFolder(home)}: ${what}\n`
    expect(await sessions(home, [])).toEqual({ code: 1, out: '', err })
  },
)

test.runIf(isUnix)('a HOME of /dev/null has no conversations, which is not an error', async () => {
  expect(await sessions('/dev/null', [])).toEqual({ code: 0, out: '', err: 'syn: no saved conversations\n' })
})

test('files without permission are reported, also by rm', async (context) => {
  needsPermissions(context)
  const home = homeWithConversations({ id: first, name: 'x', turns: [['a', 'b']] })
  const [path = ''] = conversationFiles(home)
  chmodSync(conversationsFolder(home), 0o500)
  expect(await sessions(home, ['rm', '--yes', 'x'])).toEqual({
    code: 1,
    out: '',
    err: `syn: cannot remove ${path}: permission denied\n`,
  })
  chmodSync(path, 0)
  expect(await sessions(home, [])).toEqual({
    code: 0,
    out: '',
    err: `syn: cannot read ${path}: permission denied\nsyn: no saved conversations\n`,
  })
  chmodSync(conversationsFolder(home), 0o700)
  rmSync(path)
})
