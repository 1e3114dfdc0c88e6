/** A config file that another user can change, or put another one in its place, is refused: it could run commands. */

import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shellWord } from '../../src/io/text/shell-word.ts'
import { isUnix, needsPermissions, needsRoot } from '../helpers/modes.ts'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { configPath, homeWithProfile } from './stored.ts'

/** No user has it. */
const other = 54_321

/** A folder like `/tmp/x` for XDG_CONFIG_HOME, not below HOME, and what the config file of a test is or stands in there. */
interface Place {
  readonly base: string
  readonly folder: string
  readonly file: string
}

function placeWithFile(): Place {
  const base = join(emptyFolder(), 'x')
  const folder = join(base, 'syn')
  const file = join(folder, 'config.json')
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  writeFileSync(file, JSON.stringify({ profiles: { default: { 'key-command': 'echo ran > ran' } } }), { mode: 0o600 })
  return { base, folder, file }
}

async function syn({ base }: Pick<Place, 'base'>, line: string, user?: number): Promise<Outcome> {
  const env = { XDG_CONFIG_HOME: base }
  return runSyn(line.split(' '), { env, ...(user !== undefined && { user }) })
}

/** All that read the file, and some that change it. */
const lines = ['chat hi --base-url http://127.0.0.1:9', 'config list', 'config set retries 1', 'logout']

async function expectRefused(place: Place, reason: string, hint: string, user?: number): Promise<void> {
  const before = readFileSync(place.file, 'utf8')
  for (const line of lines) {
    const { code, out, err } = await syn(place, line, user)
    const refused = `syn: refusing to read ${place.file}: ${reason}\nhint: ${hint}\n`
    const said = err.replace('refusing to write', 'refusing to read')
    expect({ line, code, out, said }).toEqual({ line, code: 2, out: '', said: refused })
  }
  expect(readFileSync(place.file, 'utf8')).toBe(before)
  expect(await syn(place, 'config path', user)).toMatchObject({ code: 0, out: `${place.file}\n` })
}

const hintOf = (remedy: string): string =>
  `check the file, then use ${remedy}; or set HOME or XDG_CONFIG_HOME to another folder, as sudo -H does`
const checkHint = (path: string): string => hintOf(`chmod go-w ${shellWord(path)}`)

describe.runIf(isUnix)('others can write', () => {
  test.each([
    ['to the file', 'file', 0o602, 'it'],
    ['to its folder', 'folder', 0o757, 'FOLDER'],
    ['to the folder of that', 'base', 0o777, 'FOLDER'],
  ] as const)('%s', async (_name, what, mode, it) => {
    const place = placeWithFile()
    chmodSync(place[what], mode)
    await expectRefused(place, `other users can change ${it.replace('FOLDER', place[what])}`, checkHint(place[what]))
    // What the hint says helps.
    chmodSync(place[what], mode & 0o755)
    expect((await syn(place, 'config set retries 1')).code).toBe(0)
  })

  test('to a folder with the sticky bit, as /tmp: the file is read', async () => {
    const place = placeWithFile()
    chmodSync(place.base, 0o1777)
    expect(await syn(place, 'config get key-command')).toMatchObject({ code: 0 })
  })

  test('to the folder of a link, and of what it leads to', async () => {
    for (const what of ['base', 'folder'] as const) {
      const target = placeWithFile()
      const place = placeWithFile()
      renameSync(place.file, `${place.file}.old`)
      symlinkSync(target.file, place.file)
      expect(await syn(place, 'config get key-command')).toMatchObject({ code: 0 })
      chmodSync(target[what], 0o777)
      await expectRefused(place, `other users can change ${target[what]}`, checkHint(target[what]))
      chmodSync(target[what], 0o755)
      chmodSync(place[what], 0o777)
      await expectRefused(place, `other users can change ${place[what]}`, checkHint(place[what]))
    }
  })

  test('to the folder of a file that is not there yet: it is not written', async () => {
    const base = join(emptyFolder(), 'x')
    mkdirSync(base)
    chmodSync(base, 0o777)
    expect(await syn({ base }, 'config get retries')).toMatchObject({ code: 0, out: '3\n' })
    const { code, err } = await syn({ base }, 'config set retries 1')
    expect({ code, err }).toEqual({
      code: 2,
      err: `syn: refusing to write ${join(base, 'syn/config.json')}: other users can change ${base}\nhint: ${checkHint(base)}\n`,
    })
  })

  test('to the folder of conversations that --save asks for: nothing is sent', async () => {
    const base = join(emptyFolder(), 'x')
    mkdirSync(base)
    chmodSync(base, 0o777)
    const { code, out, err } = await runSyn(['chat', '--sandbox', '--save', 'hi'], { env: { XDG_DATA_HOME: base } })
    const reason = `syn: refusing to write ${join(base, 'syn/conversations')}: other users can change ${base}\n`
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: `${reason}hint: ${checkHint(base)}\n` })
    expect(readdirSync(base)).toEqual([])
  })
})

describe.runIf(isUnix)('it belongs', () => {
  const chownHint = (user: number, path: string): string => hintOf(`chown ${user} ${shellWord(path)}`)

  test.for(['file', 'folder', 'base'] as const)('to another user: the %s', async (what, context) => {
    needsRoot(context)
    const place = placeWithFile()
    chownSync(place[what], other, other)
    const it = what === 'file' ? 'it' : place[what]
    await expectRefused(place, `${it} belongs to another user (ID ${other})`, chownHint(0, place[what]))
  })

  test('to another user: a link', async (context) => {
    needsRoot(context)
    const place = placeWithFile()
    const sticky = emptyFolder()
    chmodSync(sticky, 0o1777)
    const base = join(sticky, 'x')
    symlinkSync(place.base, base)
    expect(await syn({ base }, 'config get key-command')).toMatchObject({ code: 0 })
    lchownSync(base, other, other)
    const linked = { ...place, base, file: join(base, 'syn/config.json') }
    await expectRefused(linked, `${base} belongs to another user (ID ${other})`, chownHint(0, base))
  })

  test('to root: another user reads it', async (context) => {
    needsRoot(context)
    expect(await syn(placeWithFile(), 'config get key-command', other)).toMatchObject({ code: 0 })
  })

  test('to this user, and another one runs syn', async (context) => {
    needsPermissions(context)
    const { code, err } = await syn(placeWithFile(), 'config list', other)
    expect(code).toBe(2)
    expect(err).toContain(' belongs to another user (ID ')
  })
})

describe('a group can write', () => {
  test.for([
    ['the own one of the user, which umask 002 is for', other, 0],
    ['one of several users', 100, 2],
  ] as const)('%s', async ([, group, code], context) => {
    needsRoot(context)
    const place = placeWithFile()
    for (const path of Object.values(place) as string[]) {
      chownSync(path, other, group)
      chmodSync(path, path === place.file ? 0o664 : 0o775)
    }
    expect((await syn(place, 'config get key-command', other)).code).toBe(code)
  })
})

test('HOME itself, and what is above it, may be of anybody', async () => {
  const home = homeWithProfile({ retries: 1 })
  chmodSync(home, 0o777)
  expect(await runSyn(['config', 'get', 'retries'], { env: { HOME: home } })).toMatchObject({ code: 0, out: '1\n' })
  chmodSync(dirname(dirname(configPath(home))), 0o777)
  expect(await runSyn(['config', 'get', 'retries'], { env: { HOME: home } })).toMatchObject({ code: isUnix ? 2 : 0 })
})

test.runIf(isUnix)('a run that uses nothing of the file is not stopped by it', async () => {
  const place = placeWithFile()
  chmodSync(place.folder, 0o777)
  expect(await syn(place, 'chat hi --sandbox')).toMatchObject({ code: 0 })
})
