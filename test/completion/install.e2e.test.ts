/** `syn completion install`: the shell finds the script, and nothing else of the user changes. */

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shellWord } from '../../src/io/text/shell-word.ts'
import { environment } from '../helpers/program.ts'
import { needsPermissions } from '../helpers/modes.ts'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { synOnTerminal, wide } from '../helpers/terminal.ts'
import { completionHome } from './home.ts'
import { startShell } from './shell-session.ts'
import { describeShell, type ShellName, shellNames } from './shells.ts'

const foreign = 'is a link, or was not written by syn completion'

const places: Readonly<Record<ShellName, string>> = {
  bash: '.local/share/bash-completion/completions/syn',
  zsh: '.local/share/zsh/site-functions/_syn',
  fish: '.config/fish/completions/syn.fish',
}

function install(line: string, env: Record<string, string>): Promise<Outcome> {
  return runSyn(['completion', 'install', ...line.split(' ').filter(Boolean)], { env })
}

describe.each(shellNames)('%s', (shell) => {
  describeShell(shell, () => {
    test('a new shell completes', async () => {
      using session = await startShell(shell, await completionHome(), { isInstalled: true })
      expect(await session.complete('syn ch')).toBe('syn chat ')
      expect(await session.complete('syn chat -m hf:z')).toBe('syn chat -m hf:zai-org/GLM-4.7 ')
    })
  })

  test('it says what it writes, writes it once, replaces an old script, and removes it', async () => {
    const HOME = emptyFolder()
    const path = join(HOME, places[shell])
    const { out: script } = await runSyn(['completion', shell])
    const refused = await install('', { HOME, SHELL: `/bin/${shell}` })
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(`syn: this will write ${path}\n`)
    expect(refused.err).toContain('syn: cannot ask for confirmation without a terminal\nhint: use --yes\n')
    expect(existsSync(path)).toBe(false)
    expect(await install('--yes', { HOME, SHELL: `/bin/${shell}` })).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(path, 'utf8')).toBe(script)
    expect(statSync(path).mode & 0o777).toBe(0o644)
    const { mtimeMs } = statSync(path)
    expect(await install(shell, { HOME })).toEqual({ code: 0, out: '', err: `syn: already installed for ${shell}\n` })
    expect(statSync(path).mtimeMs).toBe(mtimeMs)
    writeFileSync(path, `${script}# of another version\n`)
    expect((await install(`${shell} -y`, { HOME })).err).toContain(`syn: this will replace ${path}\n`)
    expect(readFileSync(path, 'utf8')).toBe(script)
    expect((await install(`${shell} --uninstall -y`, { HOME })).err).toContain(`syn: this will remove ${path}\n`)
    expect(existsSync(path)).toBe(false)
    expect(await install(`${shell} --uninstall`, { HOME })).toEqual({
      code: 0,
      out: '',
      err: `syn: not installed for ${shell}\n`,
    })
  })

  test.each(['complete -W x syn\n', 'link', 'link to nothing', 'folder'])(
    'what is not its own stays: %s',
    async (what) => {
      const HOME = emptyFolder()
      const path = join(HOME, places[shell])
      mkdirSync(dirname(path), { recursive: true })
      const elsewhere = join(HOME, 'packaged')
      if (what === 'link') writeFileSync(elsewhere, (await runSyn(['completion', shell])).out)
      if (what === 'folder') mkdirSync(path)
      else if (what.startsWith('link')) symlinkSync(elsewhere, path)
      else writeFileSync(path, what)
      const { ino, mtimeMs } = lstatSync(path)
      for (const line of ['--yes', '--yes --uninstall']) {
        const { code, err } = await install(`${shell} ${line}`, { HOME })
        expect({ code, err }).toEqual({ code: 1, err: `syn: ${path} ${foreign}\n` })
      }
      expect(lstatSync(path)).toMatchObject({ ino, mtimeMs })
      expect(existsSync(join(HOME, '.zshrc'))).toBe(false)
    },
  )

  test('it asks on a terminal', async () => {
    const env = environment()
    const path = join(env.HOME ?? '', places[shell])
    for (const key of ['n', 'y']) {
      const screen = synOnTerminal(['completion', 'install', shell], env, { columns: wide })
      await screen.until((lines) => lines.some((line) => line.endsWith('Go on? [y]es, [n]o:')))
      expect(screen.lines()).toContain(`syn: this will write ${path}`)
      screen.type(key)
      expect(await screen.ended).toBe(0)
      expect(existsSync(path)).toBe(key === 'y')
    }
  })

  test('a place that cannot be written', async () => {
    const HOME = emptyFolder()
    writeFileSync(join(HOME, places[shell].split('/')[0] ?? ''), '')
    const { code, err } = await install(`${shell} --yes`, { HOME })
    expect([code, err.split('\n').length, err]).toEqual([
      1,
      shell === 'zsh' ? 4 : 3,
      expect.stringContaining(`syn: cannot write ${join(HOME, places[shell])}: `),
    ])
  })
})

test.each<[shell: ShellName, variables: (folder: string) => Record<string, string>, path: string]>([
  ['bash', (folder) => ({ XDG_DATA_HOME: folder }), 'bash-completion/completions/syn'],
  ['bash', (folder) => ({ BASH_COMPLETION_USER_DIR: `${folder}:/other`, XDG_DATA_HOME: '/x' }), 'completions/syn'],
  ['zsh', (folder) => ({ XDG_DATA_HOME: folder, ZDOTDIR: folder }), 'zsh/site-functions/_syn'],
  ['fish', (folder) => ({ XDG_CONFIG_HOME: folder }), 'fish/completions/syn.fish'],
])('%s: variables name other places: %s', async (shell, variables, path) => {
  const [HOME, folder] = [join(emptyFolder(), 'absent'), emptyFolder()]
  expect(await install(`${shell} --yes`, { HOME, ...variables(folder) })).toMatchObject({ code: 0 })
  expect(existsSync(join(folder, path))).toBe(true)
  expect(existsSync(join(folder, '.zshrc'))).toBe(shell === 'zsh')
  expect(existsSync(HOME)).toBe(false)
})

test.each<[what: string, text: string | Buffer]>([
  ['lines', 'autoload -Uz compinit && compinit\nalias x=y # added by syn\n'],
  ['no line break at its end', 'alias x=y'],
  ['empty', ''],
  ['bytes that are not UTF-8', Buffer.from([0x23, 0xe9, 0xff, 0x0d, 0x0a, 0x0a])],
])('.zshrc is as before after --uninstall: %s', async (_what, text) => {
  const HOME = join(emptyFolder(), 'é')
  mkdirSync(HOME)
  const [startup, dotfile] = [join(HOME, '.zshrc'), join(HOME, 'dotfile é')]
  writeFileSync(dotfile, text)
  chmodSync(dotfile, 0o640)
  symlinkSync('dotfile é', startup)
  await install('zsh --yes', { HOME })
  expect((await install('zsh --yes', { HOME })).err).toBe('syn: already installed for zsh\n')
  const installed = readFileSync(dotfile)
  expect(installed.subarray(0, text.length)).toEqual(Buffer.from(text))
  expect(installed.subarray(text.length).toString()).toMatch(/^\n?if \[\[ [^\n]+ # added by syn ?\n$/)
  writeFileSync(dotfile, Buffer.concat([installed, Buffer.from('later=1\n')]))
  await install('zsh --yes --uninstall', { HOME })
  // What follows must stay a line of its own.
  const isOpen = text.length > 0 && Buffer.from(text).at(-1) !== 0x0a
  expect(readFileSync(dotfile)).toEqual(
    Buffer.concat([Buffer.from(text), Buffer.from(`${isOpen ? '\n' : ''}later=1\n`)]),
  )
  writeFileSync(dotfile, text)
  await install('zsh --yes', { HOME })
  expect(await install('zsh --yes --uninstall', { HOME })).toMatchObject({ code: 0 })
  expect(readFileSync(dotfile)).toEqual(Buffer.from(text))
  expect(statSync(dotfile).mode & 0o777).toBe(0o640)
  expect(readlinkSync(startup)).toBe('dotfile é')
})

test.each(['echo a \\', 'echo a \\\n'])('a startup file whose last line goes on is refused: %j', async (text) => {
  const HOME = emptyFolder()
  const startup = join(HOME, '.zshrc')
  writeFileSync(startup, text)
  const { code, err } = await install('zsh --yes', { HOME })
  expect({ code, err }).toEqual({ code: 1, err: `syn: ${startup} ends with a backslash\n` })
  expect(readFileSync(startup, 'utf8')).toBe(text)
})

test('a line for another directory is replaced', async () => {
  const [HOME, XDG_DATA_HOME] = [emptyFolder(), emptyFolder()]
  await install('zsh --yes', { HOME })
  await install('zsh --yes', { HOME, XDG_DATA_HOME })
  const lines = readFileSync(join(HOME, '.zshrc'), 'utf8').split('\n')
  expect(lines).toEqual([
    expect.stringContaining(`source ${shellWord(join(XDG_DATA_HOME, 'zsh/site-functions/_syn'))};`),
    '',
  ])
})

test("another user's .zshrc is not changed, as with sudo", async () => {
  const HOME = emptyFolder()
  const startup = join(HOME, '.zshrc')
  writeFileSync(startup, 'x=1\n')
  // Files of root are trusted.
  if (process.geteuid?.() === 0) chownSync(startup, 4321, 4321)
  const argv = ['completion', 'install', 'zsh', '--yes']
  const { code, err } = await runSyn(argv, { env: { HOME }, user: 4322 })
  expect([code, err]).toEqual([2, expect.stringContaining('belongs to another user')])
  expect(readFileSync(startup, 'utf8')).toBe('x=1\n')
})

test('a startup file that may not be written', async (context) => {
  needsPermissions(context)
  const HOME = emptyFolder()
  const startup = join(HOME, '.zshrc')
  writeFileSync(startup, 'x=1\n', { mode: 0o444 })
  const { code, err } = await install('zsh --yes', { HOME })
  expect([code, err.split('\n').at(-2)]).toEqual([1, `syn: cannot write ${startup}: permission denied`])
  expect(readFileSync(startup, 'utf8')).toBe('x=1\n')
  expect(existsSync(join(HOME, places.zsh))).toBe(false)
})

test.each(['a device', 'itself', 'nothing'])('a startup file that leads to %s is refused', async (what) => {
  const HOME = emptyFolder()
  const startup = join(HOME, '.zshrc')
  const target = { 'a device': '/dev/null', itself: '.zshrc', nothing: 'absent' }[what] ?? ''
  symlinkSync(target, startup)
  for (const line of ['zsh --yes', 'zsh --yes --uninstall'])
    expect(await install(line, { HOME })).toEqual({
      code: 1,
      out: '',
      err: `syn: ${startup} is neither a regular file nor a link to one\n`,
    })
  expect(readlinkSync(startup)).toBe(target)
  expect(existsSync(join(HOME, places.zsh))).toBe(false)
})

test.each([
  ['tcsh', '/bin/bash', 'tcsh'],
  ['', '/bin/tcsh', 'tcsh'],
  ['', '', ''],
])('install %s, where SHELL is %s', async (line, SHELL, named) => {
  expect(await install(line, { SHELL })).toEqual({
    code: 2,
    out: '',
    err: `syn: ${named === '' ? 'SHELL is not set' : `cannot install for shell "${named}"`}; expected bash, zsh or fish\n`,
  })
})

test('without HOME', async () => {
  expect(await install('fish --yes', { HOME: '' })).toEqual({
    code: 2,
    out: '',
    err: 'syn: HOME is not set, so there is no place for the script\n',
  })
})
