/** Directories that cannot be made, files that are none, and few open files: a clear line instead of a hang or a trace. */

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needsPermissions } from '../helpers/modes.ts'
import { environment, node, quoted, shell, startSyn, synCommand } from '../helpers/program.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, type Service } from '../helpers/service.ts'
import { configPath, homeWithProfile } from '../settings/stored.ts'

const asOther = `setpriv --reuid 12345 --clear-groups ${synCommand}`

/** Whether another user may read the checkout: a folder of mktemp is closed. */
const isOpen = process.getuid?.() === 0 && spawnSync(`${asOther} --version`, { shell: true }).status === 0

const models = { data: [{ id: 'hf:one', object: 'model' }] }

const cases = [
  ['XDG_CONFIG_HOME', '/proc/none'],
  ['XDG_CACHE_HOME', '/dev/null'],
  ['XDG_DATA_HOME', '/proc/none'],
  ['XDG_DATA_HOME', ''],
  ['HOME', '/dev/null'],
  ['HOME', ''],
] as const

function startAnswering(): Promise<Service> {
  return startService((asked, response) =>
    (asked.path.endsWith('models') ? json(models) : events(chatAnswer(['Hello'])))(asked, response),
  )
}

test.each(cases)('%s is %j', async (variable, value) => {
  await using service = await startAnswering()
  const env = { HOME: emptyFolder(), ...service.env, [variable]: value }
  const run = async (...argv: string[]): Promise<[number, string]> => {
    const { code, out, err } = await runSyn(argv, { env })
    expect(err.trim().split('\n').length, err).toBe(1)
    return [code, out]
  }
  const cannot = (...names: string[]): number => (value !== '' && [...names, 'HOME'].includes(variable) ? 1 : 0)
  expect(await run('models', '--ids')).toEqual([0, expect.stringContaining('hf:one')])
  expect(await run('chat', 'hi')).toEqual([0, 'Hello\n'])
  // An empty HOME counts as unset: then the home directory of the system's account is used.
  if (variable === 'HOME' && value === '') return
  // Nothing is asked and paid that could not be kept.
  const status = cannot('XDG_DATA_HOME')
  const kept = [status, status === 0 ? 'Hello\n' : '']
  expect(await run('chat', '--save', 'hi')).toEqual(kept)
  expect(await run('chat', '--session', 'x', '-q', 'hi')).toEqual(kept)
  expect(service.asked.filter(({ method }) => method === 'POST')).toHaveLength(status === 0 ? 3 : 1)
  expect(await run('config', 'set', 'retries', '1')).toEqual([cannot('XDG_CONFIG_HOME'), ''])
})

test('nothing is written through a link that others could have made', async () => {
  await using service = await startAnswering()
  const [home, target] = [emptyFolder(), emptyFolder()]
  const index = join(target, 'conversations/index.json')
  mkdirSync(dirname(index))
  writeFileSync(index, 'mine')
  for (const name of ['.local/share', '.cache']) {
    mkdirSync(join(home, name), { recursive: true })
    symlinkSync(target, join(home, name, 'syn'))
    chmodSync(join(home, name), 0o777)
  }
  const env = { ...service.env, HOME: home }
  const run = (...argv: string[]) => runSyn(argv, { env })
  expect(await run('models', '--ids')).toMatchObject({ code: 0, out: expect.stringContaining('hf:one') })
  expect(await run('sessions')).toMatchObject({ code: 0 })
  const { out, err } = await run('chat', '--save', 'hi')
  // Nothing is asked and paid that could not be kept.
  expect([out, err]).toEqual(['', expect.stringContaining('other users can change')])
  expect(readdirSync(target, { recursive: true }).map(String).sort()).toEqual([
    'conversations',
    'conversations/index.json',
  ])
  expect(readFileSync(index, 'utf8')).toBe('mine')
})

test('a process whose HOME cannot be made', async () => {
  await using service = await startAnswering()
  const env = { ...environment(service), HOME: '/proc/none' }
  const saved = await startSyn(['chat', '--save', 'hi'], env).ended
  expect(saved).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^syn: .*\n$/) as string })
  const set = await startSyn(['config', 'set', 'retries', '1'], env).ended
  expect(set).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^syn: .*\n$/) as string })
})

describe('a named pipe', () => {
  test('as the config file: exit 2', async () => {
    const home = emptyFolder()
    mkdirSync(dirname(configPath(home)), { recursive: true })
    execFileSync('mkfifo', [configPath(home)])
    const env = { ...environment(), HOME: home }
    const refused = {
      code: 2,
      err: expect.stringContaining(`syn: cannot read ${configPath(home)}: not a regular file\n`) as string,
    }
    expect(await startSyn(['chat', 'hi'], env).ended).toMatchObject(refused)
    expect(await startSyn(['config', 'set', 'retries', '1'], env).ended).toMatchObject(refused)
    // The calls would not return if they waited for a writer: not before processes have ended.
    for (const argv of [['config', 'list'], ['login']]) expect(await runSyn(argv, { env })).toMatchObject(refused)
  })

  test('as the cached model list: the service is asked', async () => {
    await using service = await startService(json(models))
    const env = environment(service)
    await runSyn(['models', '--ids'], { env })
    const folder = join(env.HOME ?? '', '.cache', 'syn')
    const [file = ''] = readdirSync(folder)
    execFileSync('rm', [join(folder, file)])
    execFileSync('mkfifo', [join(folder, file)])
    expect(await startSyn(['models', '--ids'], env).ended).toMatchObject({
      code: 0,
      out: expect.stringContaining('hf:one'),
    })
    expect(service.asked).toHaveLength(2)
  })
})

test('a config file without read permission names its path once', async (context) => {
  needsPermissions(context)
  const home = homeWithProfile({})
  chmodSync(configPath(home), 0)
  const { code, err } = await runSyn(['config', 'list'], { env: { HOME: home } })
  expect({ code, err }).toEqual({
    code: 2,
    err: `syn: cannot read ${configPath(home)}: permission denied\n`,
  })
})

describe('a user ID without an entry in passwd', () => {
  const [alone, closed] = [
    'no home directory: HOME is not set, and this user has no entry in passwd',
    'cannot read CONFIG: permission denied',
  ]
  const folder = '/dev/null/.local/share/syn/conversations'
  const unsaved = '; going on without settings, and saving nothing\n'
  test.runIf(isOpen).each<[home: 'none' | 'closed', line: string, code: number, out: string, err: string]>([
    ['none', 'chat hi', 0, 'Hello\n', `syn: ${alone}${unsaved}`],
    ['none', 'chat -q hi', 0, 'Hello\n', ''],
    ['none', '--profile work chat hi', 2, '', 'syn: no profile named "work"\nhint: '],
    ['none', 'chat -q --save hi', 1, '', `syn: cannot write ${folder}: /dev/null is not a directory\n`],
    ['none', 'chat -q --session x hi', 1, '', `syn: cannot write ${folder}: /dev/null is not a directory\n`],
    [
      'none',
      'config set -q retries 1',
      1,
      '',
      'syn: cannot write /dev/null/.config/syn: /dev/null is not a directory\n',
    ],
    ['closed', 'chat hi', 0, 'Hello\n', `syn: ${closed}${unsaved}`],
    ['closed', 'chat --sandbox -q hi > /dev/null', 0, '', ''],
    ['closed', '--profile work chat hi', 2, '', `syn: ${closed}\n`],
    [
      'closed',
      'chat -q --save hi',
      1,
      '',
      'syn: cannot write HOME/.local/share/syn/conversations: permission denied\n',
    ],
    [
      'closed',
      'chat -q -c hi',
      1,
      '',
      'syn: cannot read the directory HOME/.local/share/syn/conversations: permission denied\n',
    ],
    ['closed', 'chat -q -s @x hi', 1, '', 'syn: HOME'],
  ])('home %s: syn %s', async (kind, line, code, out, err) => {
    await using service = await startAnswering()
    const home = homeWithProfile({ retries: 9 })
    const env = { ...environment(service), HOME: home, XDG_CONFIG_HOME: '' }
    const command = `env ${kind === 'none' ? '-u HOME' : ''} ${asOther} ${line}`
    const ended = await shell(command, env)
    const shown = ended.err.replaceAll(configPath(home), 'CONFIG').replaceAll(home, 'HOME')
    expect(service.asked.some(({ method }) => method === 'POST')).toBe(out !== '')
    expect({ ...ended, err: shown.slice(0, err.length || 1000) }).toMatchObject({ code, out, err })
  })

  test.runIf(isOpen)('without an account in the environment: what sets it', async () => {
    const command = `env -u HOME ${asOther} chat hi`
    expect(await shell(command, environment())).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^syn: no base URL is set\n/),
    })
  })
})

test('a working directory that is gone', async () => {
  const { code, err } = await shell('cd "$(mktemp -d)"; rmdir "$PWD"; syn similar x -f a', environment())
  expect({ code, err }).toEqual({ code: 1, err: 'syn: the working directory: no such file\n' })
})

// Node 26 answers with as little.
test.runIf(node === process.execPath)('too few addresses for the HTTP parser (nodejs/node #56596)', async () => {
  await using service = await startAnswering()
  const { code, err } = await shell('ulimit -v 4000000; syn models', environment(service))
  const words = /^syn: not enough memory for the HTTP parser of Node\nhint: raise the limit, .*NODE_OPTIONS.*\n$/
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(words) })
  const instead = await shell(
    'ulimit -v 4000000; NODE_OPTIONS=--disable-wasm-trap-handler syn chat hi',
    environment(service),
  )
  expect(instead).toMatchObject({ code: 0, out: 'Hello\n' })
})

// Below this, Node itself does not start. Other versions open more files.
const fewFiles = node === process.execPath ? [20] : []

test.each([...fewFiles, 40])('at most %i open files: an answer, or a clear line', async (limit) => {
  const path = join(emptyFolder(), 'prompt.txt')
  writeFileSync(path, 'hi')
  // The sandbox would not do: in the same process it would be the one that cannot accept the connection.
  await using service = await startService(events(chatAnswer(['Hello'])))
  const line = `ulimit -n ${limit}; syn chat -m hf:org/model -f ${quoted(path)}`
  const { code, out, err } = await shell(line, environment(service))
  if (code === 0) expect({ err, isAnswered: out !== '' }).toEqual({ err: '', isAnswered: true })
  else expect(err).toMatch(/^syn: .*too many open files.*\nhint: raise the limit, for example with ulimit -n 256\n$/)
})
