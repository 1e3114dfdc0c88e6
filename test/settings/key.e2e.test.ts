import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, testKey, type Service } from '../helpers/service.ts'
import { environment, quoted, startSyn } from '../helpers/program.ts'
import { isUnix } from '../helpers/modes.ts'
import { configPath, homeWith, homeWithProfile, storedIn, storedKey } from './stored.ts'

async function ask(home: string, argv: string[] = [], options: RunOptions = {}): Promise<Outcome> {
  return runSyn(['chat', 'hi', ...argv], { ...options, env: { HOME: home, ...options.env } })
}

async function answering(): Promise<Service> {
  return startService(events(chatAnswer(['ok'])))
}

/** The keys that a service received. */
function keysShownTo(service: Service): (string | undefined)[] {
  return service.asked.map(({ headers }) => headers.authorization)
}

describe('the key comes from', () => {
  test.each([
    ['the environment', { 'api-key': storedKey }, { SYN_API_KEY: testKey }, testKey],
    [
      'a command, its first line that is not empty',
      { 'key-command': `printf '\\n ${testKey} \\nurl: x\\n'` },
      {},
      testKey,
    ],
    ['a command before a key', { 'key-command': `echo ${testKey}`, 'api-key': storedKey }, {}, testKey],
    ['the environment before a command', { 'key-command': 'exit 1' }, { SYN_API_KEY: testKey }, testKey],
  ])('%s', async (_what, profile, env, key) => {
    await using service = await answering()
    const home = homeWithProfile({ 'base-url': service.baseUrl, ...profile })
    const outcome = await ask(home, [], { env })
    expect(outcome).toEqual({ code: 0, out: 'ok\n', err: '' })
    expect(keysShownTo(service)).toEqual([`Bearer ${key}`])
  })
})

describe('without a usable key nothing is sent', () => {
  test.each([
    [{}, 3, 'no API key is stored for profile default'],
    [{ 'key-command': 'exit 7' }, 3, 'the key command exited with status 7'],
    [{ 'key-command': 'kill -9 $$' }, 3, 'was killed by SIGKILL'],
    [{ 'key-command': 'echo; echo " "' }, 3, 'the key command printed no key'],
    [{ 'key-command': 'echo two words' }, 2, 'key command: the key contains spaces'],
  ])('%j', async (profile, code, message) => {
    await using service = await answering()
    const outcome = await ask(homeWithProfile({ 'base-url': service.baseUrl, ...profile }))
    expect(outcome).toEqual({ code, out: '', err: expect.stringContaining(message) })
    expect(outcome.err).not.toContain(testKey)
    expect(service.asked).toEqual([])
  })
})

test('a key command does not read standard input', async () => {
  await using service = await answering()
  const home = homeWithProfile({ 'base-url': service.baseUrl, 'key-command': `cat; echo ${testKey}` })
  expect((await ask(home, [], { stdin: 'text' })).code).toBe(0)
  expect(service.asked[0]?.body).toContain('text')
})

test('a profile never has both key and key command, and one does not silently replace the other', async () => {
  const home = homeWithProfile({ 'base-url': 'https://api.example.com', 'api-key': storedKey })
  const { code, err } = await runSyn(['config', 'set', 'key-command', 'pass show syn'], { env: { HOME: home } })
  expect({ code, err }).toEqual({
    code: 2,
    err:
      'syn: profile default already has an API key; it cannot have a key command too\n' +
      'hint: use syn login --profile default --key-command COMMAND to replace it\n',
  })
  expect(storedIn(home).profiles.default?.['api-key']).toBe(storedKey)
})

test('login stores a key command instead of the key, once the service accepts the key it prints', async () => {
  await using service = await startService(json({}))
  const home = homeWith({ profiles: { default: { 'base-url': service.baseUrl, 'api-key': storedKey, retries: 1 } } })
  const command = `echo ${testKey.slice(0, 5)}${testKey.slice(5)}; echo url: x`
  expect((await runSyn(['login', '--key-command', command], { env: { HOME: home } })).code).toBe(0)
  expect(storedIn(home).profiles.default).toEqual({ 'base-url': service.baseUrl, retries: 1, 'key-command': command })
  expect((await runSyn(['login', '--with-key'], { stdin: testKey, env: { HOME: home } })).code).toBe(0)
  expect(storedIn(home).profiles.default).toEqual({ 'base-url': service.baseUrl, retries: 1, 'api-key': testKey })
})

test('login stores no key command that fails', async () => {
  const home = emptyFolder()
  const argv = ['login', '--base-url=https://api.invalid', '--key-command=exit 5']
  const { code, err } = await runSyn(argv, { env: { HOME: home } })
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('exited with status 5') })
  expect(existsSync(configPath(home))).toBe(false)
})

test.each([
  ['SIGHUP', 129, 'sleep 60'],
  ['SIGINT', 130, 'trap "" INT TERM; while :; do sleep 0.05; done'],
] as const)('%s in a key command ends the run with %i: %s', async (signal, code, command) => {
  const marker = join(emptyFolder(), 'started')
  const home = homeWithProfile({
    'base-url': 'https://api.example.com',
    'key-command': `echo $$ > ${quoted(marker)}; ${command}`,
  })
  const { child } = startSyn(['chat', 'hi'], { ...environment(), HOME: home })
  let err = ''
  child.stderr?.on('data', (text: string) => (err += text))
  const exited = once(child, 'exit')
  await expect.poll(() => existsSync(marker) && readFileSync(marker, 'utf8').endsWith('\n')).toBe(true)
  child.kill(signal)
  expect(await exited).toEqual([code, null])
  expect(err).toBe('')
  spawnSync('sh', ['-c', `kill -9 ${readFileSync(marker, 'utf8').trim()}`])
})

test('a process left by the key command does not delay the exit', async () => {
  const marker = join(emptyFolder(), 'started')
  const command = `touch ${quoted(marker)}; sleep 60 | cat; echo never`
  const home = homeWithProfile({ 'base-url': 'https://api.example.com', 'key-command': command })
  const { child } = startSyn(['chat', 'hi'], { ...environment(), HOME: home })
  // Waits for the exit, since the process left behind shares standard error.
  const exited = once(child, 'exit')
  await expect.poll(() => existsSync(marker)).toBe(true)
  child.kill('SIGTERM')
  expect(await exited).toEqual([143, null])
})

describe('a stored key is sent to its own origin only', () => {
  test.each([
    ['--base-url', (url: string) => ({ argv: ['--base-url', url], env: {} })],
    ['SYN_BASE_URL', (url: string) => ({ argv: [], env: { SYN_BASE_URL: url } })],
  ])('%s', async (_what, elsewhere) => {
    await using service = await answering()
    const { argv, env } = elsewhere(service.baseUrl)
    for (const source of [{ 'api-key': storedKey }, { 'key-command': `echo ${storedKey}` }]) {
      const { code, err } = await ask(homeWithProfile({ 'base-url': 'https://own.example.com', ...source }), argv, {
        env,
      })
      expect({ code, err }).toEqual({
        code: 3,
        err: expect.stringContaining(
          `refusing to send the API key of profile default to ${service.baseUrl}: it is for https://own.example.com`,
        ),
      })
    }
    const alone = await ask(homeWithProfile({ 'api-key': storedKey }), argv, { env })
    expect(alone).toMatchObject({ code: 3, err: expect.stringContaining('it was stored without a base URL') })
    expect(service.asked).toEqual([])
    const home = homeWithProfile({ 'base-url': 'https://own.example.com', 'api-key': storedKey })
    expect((await ask(home, argv, { env: { ...env, SYN_API_KEY: testKey } })).code).toBe(0)
    expect(keysShownTo(service)).toEqual([`Bearer ${testKey}`])
  })

  test('the origin of a profile with a key cannot be changed', async () => {
    const home = homeWithProfile({ 'base-url': 'https://own.example.com', 'api-key': storedKey })
    const options = { env: { HOME: home } }
    const moved = await runSyn(['config', 'set', 'base-url', 'https://else.example.com'], options)
    expect(moved).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(
        'cannot change base-url: the API key in profile default is for https://own.example.com',
      ),
    })
    expect((await runSyn(['config', 'unset', 'base-url'], options)).code).toBe(2)
    expect((await runSyn(['config', 'set', 'base-url', 'https://own.example.com/team'], options)).code).toBe(0)
    expect((await runSyn(['logout'], options)).code).toBe(0)
    expect((await runSyn(['config', 'set', 'base-url', 'https://else.example.com'], options)).code).toBe(0)
  })
})

describe('plain http', () => {
  test.each([
    'http://api.example.com',
    'http://[::ffff:128.0.0.1]',
    'http://localhost.example.com',
    'http://example-localhost',
    'http://localhost@example.com',
  ])('to %s is an error', async (url) => {
    const env = { SYN_BASE_URL: url, SYN_API_KEY: testKey }
    const { code, err } = await ask(emptyFolder(), ['--retries', '0'], { env })
    expect(code).toBe(2)
    expect(err).toMatch(
      url.includes('@') ? /user name/ : /^syn: refusing to send the API key unencrypted to .+\nhint: .+--allow-http/,
    )
  })

  test.each(['0x7f.1', '127.0.0.1.', '\uff11\uff12\uff17.0.0.1', 'x.localhost'])(
    'to this machine as %s is accepted',
    async (host) => {
      await using service = await answering()
      const env = { SYN_BASE_URL: service.baseUrl.replace('127.0.0.1', host), SYN_API_KEY: testKey }
      expect((await ask(emptyFolder(), [], { env })).code).toBe(0)
      expect(keysShownTo(service)).toEqual([`Bearer ${testKey}`])
    },
  )

  test.each(['http://[::1]:9', 'http://[::ffff:127.0.0.1]:9'])('so is %s', async (url) => {
    const env = { SYN_BASE_URL: url, SYN_API_KEY: testKey }
    expect((await ask(emptyFolder(), ['--retries', '0'], { env })).code).toBe(6)
  })

  test.each(['localhost', 'evil.localhost'])(
    'to %s goes to this machine, whatever the name resolves to',
    async (host) => {
      await using service = await answering()
      // An address at which nobody listens, in place of one of an attacker.
      const lookup = `require('node:dns').lookup = (name, options, done) =>
        options.all ? done(null, [{ address: '127.0.0.9', family: 4 }]) : done(null, '127.0.0.9', 4)\n`
      const preload = join(emptyFolder(), 'preload.cjs')
      writeFileSync(preload, lookup)
      const url = service.baseUrl.replace('127.0.0.1', host)
      const env = { ...environment(service), SYN_BASE_URL: url, NODE_OPTIONS: `--require ${JSON.stringify(preload)}` }
      const { ended } = startSyn(['chat', 'hi', '--retries', '0'], env)
      expect(await ended).toMatchObject({ code: 0, out: 'ok\n' })
      expect(keysShownTo(service)).toEqual([`Bearer ${testKey}`])
    },
  )

  test('is accepted with --allow-http', async () => {
    const env = { SYN_BASE_URL: 'http://api.invalid:8080', SYN_API_KEY: testKey }
    const { code } = await ask(emptyFolder(), ['--retries', '0', '--allow-http'], { env })
    expect(code).toBe(6)
  })

  test('is allowed by a profile for its own base URL only', async () => {
    const home = homeWithProfile({ 'base-url': 'http://own.invalid', 'allow-http': true })
    const env = { SYN_API_KEY: testKey }
    expect((await ask(home, ['--retries', '0'], { env })).code).toBe(6)
    expect((await ask(home, ['--retries', '0', '--base-url', 'http://else.invalid'], { env })).code).toBe(2)
  })
})

test('the stored key never appears in errors, notices, the log of --debug, and the settings', async () => {
  await using service = await startService(json({ error: `bad key ${storedKey}` }, 401))
  const profile = { 'base-url': service.baseUrl, 'api-key': storedKey }
  const home = homeWith({ profiles: { default: profile, other: { 'api-key': testKey } } })
  const lines = [
    ['chat', 'hi', '--debug'],
    ['config', 'list', '--json'],
    ['config', 'get', 'api-key'],
    ['config', 'set', 'timeout', storedKey, '--debug'],
    ['config', 'get', storedKey, '--debug'],
    ['login', storedKey],
  ]
  for (const argv of lines) {
    const { out, err } = await runSyn(argv, { env: { HOME: home } })
    expect(out + err, argv.join(' ')).not.toContain(storedKey)
  }
})

describe('a word of the key command that looks like a key is shown nowhere', () => {
  test.each([
    [`echo ${testKey}`, 'echo [key]'],
    ['printf %s "0123456789abcdef0123"', 'printf %s "[key]"'],
    ['secret-tool lookup service syn', 'secret-tool lookup service syn'],
    ['security find-generic-password -s syn -w', 'security find-generic-password -s syn -w'],
  ])('%s', async (command, shown) => {
    const home = emptyFolder()
    const options = { env: { HOME: home } }
    const { err } = await runSyn(['config', 'set', 'key-command', command], options)
    expect(err).toBe(`syn: stored key-command ${shown} in profile default in ${configPath(home)}\n`)
    expect(await runSyn(['config', 'get', 'key-command'], options)).toEqual({ code: 0, out: `${shown}\n`, err: '' })
    expect((await runSyn(['config', 'list'], options)).out).toContain(shown)
    expect(storedIn(home).profiles.default).toEqual({ 'key-command': command })
  })
})

describe.runIf(isUnix)('other users', () => {
  const key = { 'api-key': storedKey }
  test.each([
    [0o600, key, ''],
    [0o644, key, 'read'],
    [0o644, { 'key-command': `echo ${testKey}` }, ''],
  ])('with mode %o and %j: %s', async (mode, profile, verb) => {
    await using service = await answering()
    const home = homeWithProfile({ 'base-url': service.baseUrl, ...profile })
    const path = configPath(home)
    chmodSync(path, mode)
    const word = /^[\w./-]+$/.test(path) ? path : quoted(path)
    const notice = `syn: other users can ${verb} ${path}, which holds the API key; to stop that: chmod 600 ${word}\n`
    expect(await ask(home)).toEqual({ code: 0, out: 'ok\n', err: verb === '' ? '' : notice })
    expect((await ask(home, [], { env: { SYN_API_KEY: testKey } })).err).toBe('')
  })
})
