/** MCP servers that syn starts: their tools, all that they do wrong, and that no process is left. */

import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { leakIn, testKey } from '../helpers/canary.ts'
import { environment, startSyn } from '../helpers/program.ts'
import { emptyFolder, type Outcome, runSyn } from '../helpers/run-syn.ts'
import { toolsFile, untilGone, untilThere } from '../helpers/tools.ts'

const script = fileURLToPath(new URL('../fixtures/mcp/server.mjs', import.meta.url))

function server(fault: string, more: { file?: string } & Record<string, unknown> = {}): object {
  const { file, ...entry } = more
  return { command: process.execPath, args: [script, fault, ...(file === undefined ? [] : [file])], ...entry }
}

function fileWith(fault: string, more?: Parameters<typeof server>[1]): string {
  return toolsFile({ mcpServers: { s: server(fault, more) } })
}

async function run(file: string, argv: string[], env = {}): Promise<Outcome> {
  return runSyn(['tools', ...argv, '--tools-file', file], { env: { PATH: process.env.PATH ?? '', ...env } })
}

async function list(fault: string, more?: Parameters<typeof server>[1]): Promise<Outcome> {
  return run(fileWith(fault, more), ['list', 's'])
}

async function call(fault: string, tool = 'call', args = '{}', more?: Parameters<typeof server>[1]): Promise<Outcome> {
  return run(fileWith(fault, more), ['run', `s/${tool}`, args])
}

describe('the tools of a server', () => {
  test('are listed, with their size and what it claims', async () => {
    const { out, err } = await list('')
    expect(err).toBe('')
    expect(out.split('\n').slice(0, 2)).toEqual([
      's/echo\tclaims to read only\t36\tReturns the text',
      's/env\ttool\t17\t',
    ])
    expect(await list('no capability')).toEqual({ code: 0, out: '', err: 'syn: s has no tools\n' })
    expect((await list('two pages')).out).toBe('s/b\ttool\t16\t\ns/a\ttool\t16\t\n')
    expect((await list('an empty text at the end')).out).toBe(out)
  })

  test.each<[tool: string, args: string, code: number, out: string, err: string]>([
    ['echo', '{"text":"hi"}', 0, 'hi\n', ''],
    ['echo', '{"text":1}', 2, '', 'syn: ARGUMENTS: $.text must be string\n'],
    ['fail', '{}', 1, '', 'syn: s/fail failed: no such thing\n'],
    ['fail_silently', '{}', 1, '', 'syn: s/fail_silently failed: the tool fail_silently failed without a message\n'],
    [
      'parts',
      '{}',
      0,
      'a text\n[image/png left out]\nnotes: file:///notes\nits text\n[binary data of file:///b left out]\n[video left out]\n',
      '',
    ],
    [
      'ech',
      '{}',
      2,
      '',
      `syn: no tool "s/ech" in the server s (did you mean s/echo?)\nhint: available: "s/echo", "s/env", "s/fail", "s/fail_silently", "s/parts", "s/images", "s/call"\n`,
    ],
  ])('%s %s', async (tool, args, code, out, err) => {
    expect(await call('', tool, args)).toEqual({ code, out, err })
  })

  test('a server is no tool', async () => {
    expect(await run(fileWith(''), ['run', 's'])).toEqual({
      code: 2,
      out: '',
      err: 'syn: NAME: "s" is a server; expected one of its tools\nhint: use syn tools list s to list them\n',
    })
  })

  test('a server has few variables', async () => {
    const env = { HOME: '/h', HTTPS_PROXY: 'http://p', NODE_EXTRA_CA_CERTS: '', OWN: 'o', OTHER: 'x', NODE_OPTIONS: '' }
    const file = fileWith('', { env: { A: '${OWN}' } })
    const { out } = await run(file, ['run', 's/env'], { ...env, SYN_API_KEY: testKey, SYN_MODEL: 'm' })
    const { PATH: _path, ...others } = JSON.parse(out) as Record<string, string>
    expect(others).toEqual({ HOME: '/h', HTTPS_PROXY: 'http://p', NODE_EXTRA_CA_CERTS: '', A: 'o' })
  })

  test('a server runs in the home directory, where no package of somebody else is', async () => {
    const folder = emptyFolder()
    const hint = async (entry: object, HOME: string): Promise<string | undefined> => {
      const file = toolsFile({ mcpServers: { s: { command: 'sh', args: ['-c', 'pwd >&2'], ...entry } } })
      return /hint: (.*)/.exec((await run(file, ['list', 's'], { HOME })).err)?.[1]
    }
    expect(await hint({}, folder)).toBe(realpathSync(folder))
    expect(await hint({}, join(folder, 'none'))).toBe('/')
    expect(await hint({ cwd: '/usr' }, folder)).toBe('/usr')
    const file = toolsFile({ mcpServers: { s: { command: 'sh', cwd: '~' } } })
    const err = `syn: ${file}: $.mcpServers.s.cwd: ~ is not a directory\n`
    expect(await run(file, ['list', 's'])).toEqual({ code: 2, out: '', err })
  })

  test('names that a terminal or a model should not get are left out', async () => {
    const { code, out, err } = await list('wrong names')
    expect([code, out]).toEqual([0, ''])
    expect(err).toMatch(
      /^syn: server s: leaving out 5 of 5 tools: "\\u001b]0;x\\u0007" for its name, "a b" for its name, /,
    )
    const odd =
      'syn: server s: leaving out 3 of 4 tools: "a" for its inputSchema, "b" for its annotations, nothing for its type\n'
    expect(await list('odd tools')).toEqual({ code: 0, out: 's/c\ttool\t16\t\n', err: odd })
  })

  test('a schema that is none is left to the server', async () => {
    expect((await call('wrong schema', 'call', '{"a":1}')).out).toBe('called\n')
  })

  test('two tools with the same name for the model are listed, and refused for one', async () => {
    const both = fileWith('the same name')
    expect((await list('the same name')).out).toBe('s/a.b\ttool\t17\t\ns/a_b\ttool\t17\t\n')
    const env = { SYN_API_KEY: testKey, SYN_BASE_URL: 'http://127.0.0.1:1', PATH: process.env.PATH ?? '' }
    const { code, err } = await runSyn(['chat', '-m', 'hf:a/b', '--tools-file', both, '--allow', 's', 'Hi'], { env })
    expect([code, err]).toEqual([2, 'syn: s/a.b and s/a_b have the same name for the model: s__a_b\n'])
    const file = toolsFile({ mcpServers: { a: server(''), 'a/echo': server('') } })
    expect((await run(file, ['list', 'a/echo'])).err).toBe('syn: a/echo may be a tool of a and of a/echo\n')
  })

  test.each(['other lines', 'errors that are null'])('lines that are no messages do no harm: %s', async (fault) => {
    expect((await call(fault, 'echo', '{"text":"x"}')).out).toBe('x\n')
  })

  test('what it logs is shown by line with --debug, so that a key is masked', async () => {
    const parts =
      'const { K } = process.env; process.stderr.write(K.slice(0, 9)); setTimeout(() => console.error(K.slice(9)), 99)'
    const file = toolsFile({
      mcpServers: { s: { command: process.execPath, args: ['-e', parts], env: { K: '${KEY}' } } },
    })
    const { err } = await run(file, ['list', 's', '--debug'], { SYN_API_KEY: testKey, KEY: testKey })
    expect(err).toContain('s on stderr: [key]\n')
    expect(leakIn(err)).toBeUndefined()
  })
})

describe('a server that does not start is one line', () => {
  test.each<[fault: string, error: string, more?: object]>([
    ['end at the start', 'exited with status 3\nhint: last line: no such file'],
    ['silence', 'no result within 0.3 seconds', { timeout: 0.3 }],
    ['flood at the start', 'sent more than 16 MiB, or too many messages'],
    ['deep schema', 'sent invalid or deeply nested JSON'],
    ['many tools', 'lists more than 1000 tools'],
    ['endless list', 'its list of tools does not end'],
    ['', 'cannot be run: /nowhere/x: no such file', { command: '/nowhere/x' }],
  ])('%s: %s', async (fault, error, more = {}) => {
    const file = join(emptyFolder(), 'pids')
    expect(await list(fault, { file, ...more })).toEqual({
      code: 1,
      out: '',
      err: `syn: the server s does not start: ${error}\n`,
    })
    if (fault !== '') await untilGone(file)
  })
})

describe('a call that fails is one line', () => {
  test.each<[fault: string, error: string]>([
    ['crash in a call', 'server s: exited with status 5'],
    ['an error without an ID', 'server s: not parsed'],
    ['flood in a call', 'server s: sent more than 16 MiB, or too many messages'],
    ['flood of errors in a call', 'server s: sent more than 16 MiB, or too many messages'],
  ])('%s', async (fault, error) => {
    const file = join(emptyFolder(), 'pids')
    const ended = await call(fault, 'call', '{}', { file })
    expect(ended).toEqual({ code: 1, out: '', err: `syn: s/call failed: ${error}\n` })
    await untilGone(file)
  })
})

describe('no process is left', () => {
  test('after a signal to a run', async () => {
    const file = join(emptyFolder(), 'pids')
    const running = startSyn(['tools', 'list', 's', '--tools-file', fileWith('no list', { file })], environment())
    await untilThere(file)
    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 143, out: '', err: '' })
    await untilGone(file)
  })

  test('not even after kill -9, as servers end with their stdin', async () => {
    const file = join(emptyFolder(), 'pids')
    const running = startSyn(['tools', 'run', 's/call', '--tools-file', fileWith('no result', { file })], environment())
    await untilThere(file)
    const [id = ''] = readFileSync(file, 'utf8').split(' ')
    running.child.kill('SIGKILL')
    await running.ended
    await untilGone(file, [Number(id)])
    process.kill(Number(readFileSync(file, 'utf8').split(' ')[1]))
  })
})
