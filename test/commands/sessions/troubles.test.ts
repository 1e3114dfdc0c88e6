/** What can't be read, and who is told of it. */

import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { end, streamed } from '../../helpers/chat-chunks.ts'
import {
  conversationFiles,
  conversationsFolder,
  homeWithConversations,
  sessions,
  talk,
} from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const [first, second, third] = ['20261121-090000-aaaaaa', '20261121-080000-bbbbbb', '20261121-070000-cccccc'] as const
// Root may read and write whatever the permissions are.
const isRoot = process.getuid?.() === 0

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

describe('damage is told', () => {
  test.each([
    [['list']],
    [[]],
    [['search', 'c']],
    [['show', 'damaged']],
    [['show', second]],
    [['show', '20261121-08']],
    [['export', 'damaged']],
  ])('by syn sessions %j', async (argv) => {
    const { home, notice } = oneDamaged()
    expect((await sessions(home, argv)).err).toBe(notice)
  })

  test.each([
    [['show', 'whole']],
    [['show', first]],
    [['export', 'whole']],
    [['rm', '--yes', 'whole']],
    [['rename', 'whole', 'new']],
  ])('and not by syn sessions %j', async (argv) => {
    const { home } = oneDamaged()
    const { code, err } = await sessions(home, argv)
    expect({ code, err: err.replace(/^syn: (removed .*|.* from now on)\n$/, '') }).toEqual({ code: 0, err: '' })
  })

  test.each([
    [['--session', 'damaged'], true],
    [['--session', second], true],
    [['--session', 'whole'], false],
    [['-c'], false],
  ])('by syn chat %j: %s', async (argv, isTold) => {
    const { home, notice } = oneDamaged()
    const { outcomes } = await talk(home, [streamed('Hi', end())], [...argv, 'x'])
    expect(outcomes).toEqual([{ code: 0, out: 'Hi\n', err: isTold ? notice : '' }])
  })

  test('not by a command that finds no conversation of a name', async () => {
    const { home } = oneDamaged()
    const { err } = await sessions(home, ['show', 'other'])
    expect(err).toBe('syn: there is no conversation "other"\nhint: syn sessions lists them\n')
  })

  test('but what cannot be read at all may be the one that was not found', async () => {
    const home = homeWithConversations({ id: first, name: 'x', turns: [['a', 'b']] })
    const [path = ''] = conversationFiles(home)
    const header = { type: 'conversation', at: '', version: 2, id: second }
    const name = { type: 'name', at: '', name: 'y' }
    const newer = path.replace(first, second)
    writeFileSync(newer, `${JSON.stringify(header)}\n${JSON.stringify(name)}\n`)
    const leftAlone = `syn: ${newer} was written by a newer version of syn (format 2): it is left alone\n`
    expect((await sessions(home, ['show', 'y'])).err).toBe(
      `${leftAlone}syn: there is no conversation "y"\nhint: syn sessions lists them\n`,
    )
    expect(await sessions(home, ['show', second])).toEqual({ code: 1, out: '', err: leftAlone })
    expect((await sessions(home, ['show', 'x'])).err).toBe('')
  })
})

describe('where the folder cannot be read, that is said in one line', () => {
  const commands = [['list'], ['show', 'x'], ['show', first], ['search', 'x'], ['rm', '--yes', 'x'], ['export', 'x']]

  /** A folder that nobody can read, whoever asks: its link leads to itself. */
  function unreadable(): { home: string; folder: string } {
    const home = emptyFolder()
    const folder = conversationsFolder(home)
    mkdirSync(dirname(folder), { recursive: true })
    symlinkSync(folder, folder)
    return { home, folder }
  }

  test.each(commands.map((argv) => [argv]))('syn sessions %j', async (argv) => {
    const { home, folder } = unreadable()
    const err = `syn: cannot read the folder ${folder}: too many levels of symbolic links\n`
    expect(await sessions(home, argv)).toEqual({ code: 1, out: '', err })
  })

  test.each([[['-c']], [['--session', 'x']], [['--session', first]]])('syn chat %j', async (argv) => {
    const { home, folder } = unreadable()
    const { outcomes, sent } = await talk(home, [], [...argv, 'x'])
    expect(outcomes).toEqual([
      { code: 1, out: '', err: `syn: cannot read the folder ${folder}: too many levels of symbolic links\n` },
    ])
    expect(sent).toEqual([])
  })

  const withoutPermission = [0, 0o400].flatMap((mode) => commands.map((argv) => [mode, argv] as const))

  test.skipIf(isRoot).each(withoutPermission)('with mode %i (skipped as root): %j', async (mode, argv) => {
    const home = homeWithConversations({ id: first, name: 'x', turns: [['a', 'b']] })
    const folder = conversationsFolder(home)
    chmodSync(folder, mode)
    const outcome = await sessions(home, argv)
    chmodSync(folder, 0o700)
    expect(outcome).toEqual({ code: 1, out: '', err: `syn: cannot read the folder ${folder}: permission denied\n` })
  })
})

describe('what stands where the folder should be', () => {
  const place = '.local/share/syn/conversations'

  test.each([place, '.local/share/syn', '.local/share', '.local'])('a file at ~/%s is told of', async (name) => {
    const home = emptyFolder()
    const path = join(home, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    const what = name === place ? 'it is a file' : `${path} is a file`
    const outcome = { code: 1, out: '', err: `syn: cannot read the folder ${join(home, place)}: ${what}\n` }
    expect(await sessions(home, [])).toEqual(outcome)
    expect((await talk(home, [], ['-c', 'x'])).outcomes).toEqual([outcome])
  })

  test.each(['/dev/null', '/nowhere'])('a HOME of %s holds none, which is no trouble', async (home) => {
    expect(await sessions(home, [])).toEqual({ code: 0, out: '', err: 'syn: there are no conversations yet\n' })
  })

  test('nor is XDG_DATA_HOME=/dev/null', async () => {
    const env = { XDG_DATA_HOME: '/dev/null' }
    expect(await sessions(emptyFolder(), ['--json'], { env })).toEqual({ code: 0, out: '[]\n', err: '' })
  })
})

test.skipIf(isRoot)(
  'a file without permission is told of, and one that cannot be removed (skipped as root)',
  async () => {
    const home = homeWithConversations({ id: first, name: 'x', turns: [['a', 'b']] })
    const [path = ''] = conversationFiles(home)
    chmodSync(conversationsFolder(home), 0o500)
    expect(await sessions(home, ['rm', '--yes', 'x'])).toEqual({
      code: 1,
      out: '',
      err: `syn: can't remove ${path}: permission denied\n`,
    })
    chmodSync(path, 0)
    expect(await sessions(home, [])).toEqual({
      code: 0,
      out: '',
      err: `syn: cannot read ${path}: permission denied\nsyn: there are no conversations yet\n`,
    })
    chmodSync(conversationsFolder(home), 0o700)
    rmSync(path)
  },
)
