/** Commands as tools: their words, their environment, their result, and that nothing of them is left. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leakIn, testKey } from '../helpers/canary.ts'
import { harmfulIn, hostile } from '../helpers/hostile.ts'
import { environment, startSyn } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { type Screen, synOnTerminal } from '../helpers/terminal.ts'
import { call, texts, toolsFile, untilGone, untilThere } from '../helpers/tools.ts'

describe('words', () => {
  /** Prints each of its words in angle brackets. */
  const printed = async (words: string[], args: object): Promise<string> => {
    const parameters = { ...texts('a', 'b'), required: Object.keys(args) }
    const { code, out, err } = await call({ command: ['printf', '<%s>', ...words], parameters }, args)
    return code === 0 ? out : err
  }

  test.each<[words: string[], args: object, printed: string]>([
    [['{{a}}'], { a: '$(id) `id` ; & | > * "\'' }, '<$(id) `id` ; & | > * "\'>\n'],
    [['{{a}}'], { a: '{{b}}', b: 'x' }, '<{{b}}>\n'],
    [['{{ a }}/{{b}}'], { a: 1, b: true }, '<1/true>\n'],
    [['{{a.b}}', '{{b}}'], { a: { b: [1, 'x'] }, b: { c: 1 } }, '<[1,"x"]><{"c":1}>\n'],
    [['--a={{a}}', '-a{{a}}', '--b={{b}}', 'x'], { b: '-x' }, '<--b=-x><x>\n'],
    [['{{b}}', 'a{{a}}'], { a: null, b: '' }, '<>\n'],
    [['https://h/{{a}}?q={{b}}'], { a: 'a/b?c#d', b: 'x&y=z w' }, '<https://h/a%2Fb%3Fc%23d?q=x%26y%3Dz%20w>\n'],
    [['https://h/{{a}}'], { a: '\ud800' }, '<https://h/%EF%BF%BD>\n'],
  ])('%j with %j', async (words, args, expected) => {
    expect(await printed(words, args)).toBe(expected)
  })

  const option = (start: string): string =>
    `a value that begins with ${start} is not accepted here: the program could take it for an option or a file`

  test.each<[words: string[], args: object, error: string]>([
    [['{{a}}'], { a: '-rf' }, option('-')],
    [['{{a}}{{b}}'], { a: '', b: '-x' }, option('-')],
    [['{{a}}'], { a: '@/etc/passwd' }, option('@')],
    [['-o', '{{a}}', '--', '{{b}}'], { a: null, b: 'x' }, '"a" has no value, and the words after it would move'],
    [['{{a}}'], { a: 'x\0y' }, 'a NUL character is not accepted here'],
    [['https://h/{{a}}/x'], { a: '..' }, '. and .. are not accepted in the path of a URL'],
    [['https://h/{{a}}{{b}}'], { a: '.', b: '.' }, '. and .. are not accepted in the path of a URL'],
  ])('%j refuses %j', async (words, args, error) => {
    expect(await printed(words, args)).toBe(`syn: t failed: ${error}\n`)
  })

  test('a default of a parameter stands for an absent one in the words', async () => {
    const a = { type: 'string', default: 'd e' }
    const b = { type: 'object', properties: { c: { type: 'integer' } }, required: ['c'], default: { c: '5' } }
    const tool = {
      command: ['sh', '-c', 'printf "<%s>" "$@"; cat', 'sh', '{{a}}', 'x{{b.c}}', 'y'],
      parameters: { type: 'object', properties: { a, b } },
    }
    // On stdin is what was called with: a default need not fit the schema.
    expect((await call(tool)).out).toBe('<d e><x5><y>{}\n')
    expect((await call(tool, { b: { c: 1 } })).out).toBe('<d e><x1><y>{"b":{"c":1}}\n')
    expect((await call(tool, { a: null })).err).toBe('syn: ARGUMENTS: $.a must be string\n')
  })
})

test('the environment has what the manual names, and no variable of syn', async () => {
  const passed = { HOME: '/h', LANG: 'C', LC_ALL: 'C', USER: 'u', LOGNAME: 'u', SHELL: '/s', TERM: 't', TMPDIR: '/tmp' }
  const env = { ...passed, TZ: 'UTC', XDG_DATA_HOME: '/d', OWN: 'o', PATH: process.env.PATH ?? '' }
  const kept = {
    SYN_API_KEY: testKey,
    SYN_MODEL: 'm',
    HTTPS_PROXY: 'p',
    AWS_SECRET: 's',
    LD_PRELOAD: '',
    NODE_OPTIONS: '',
  }
  const { out } = await call(
    { command: ['env'], env: { A: 'x${OWN}y', B: 'a$OWN', C: '${env:OWN}', D: '${NO_SUCH:-a b}' } },
    {},
    { env: { ...env, ...kept } },
  )
  const { OWN: _own, ...expected } = { ...env, A: 'xoy', B: 'a$OWN', C: 'o', D: 'a b' }
  expect(
    Object.fromEntries(
      out
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    ),
  ).toEqual(expected)
})

describe('a result', () => {
  const sh = (script: string): object => ({ command: ['sh', '-c', script] })

  test.each<[what: string, script: string, code: number, out: string, err: string]>([
    ['stdout alone', 'echo a; echo b >&2', 0, 'a\n', ''],
    ['a status', 'echo a; echo b >&2; exit 3', 1, '', 'syn: t failed: b [exited with status 3]\n'],
    ['a signal', 'kill -9 $$', 1, '', 'syn: t failed: [was killed by SIGKILL]\n'],
  ])('%s', async (_what, script, code, out, err) => {
    expect(await call(sh(script))).toEqual({ code, out, err })
  })

  test('a program that is not there', async () => {
    const { code, err } = await call({ command: ['/nowhere/x'] })
    expect({ code, err }).toEqual({ code: 1, err: 'syn: t failed: [cannot be run: /nowhere/x: no such file]\n' })
  })

  test('is cut, with a note, and never within a character', async () => {
    const { out } = await call(sh(`printf a; yes 😀 | tr -d '\\n' | head -c 1000000`))
    const note = '\n[the output is cut off here, after 50000 characters]\n'
    expect(out).toBe(`a${'😀'.repeat(24_999)}${note}`)
  })

  test('a failure keeps its status and the end of stderr after a long output; the error line is short', async () => {
    const failing = sh(`head -c 99999 /dev/zero | tr '\\0' a; seq 9999 >&2; exit 4`)
    const { err } = await call(failing)
    expect(err).toBe('syn: t failed: 9999 [exited with status 4]\n')
    const { err: log } = await call(failing, {}, { argv: ['--debug'] })
    expect(log).toMatch(
      /t failed: a{50000}\n\[the output is cut off[^]*\[stderr\]\n[^]{1,3999}9999\n\[exited with status 4\]\n/,
    )
  })

  test('has no API key', async () => {
    const env = { KEY: testKey, SYN_API_KEY: testKey }
    const tool = { command: ['sh', '-c', 'echo "$K"; echo "$K" >&2; exit 1'], env: { K: '${KEY}' } }
    expect((await call(tool, {}, { env })).err).toBe('syn: t failed: [key] [exited with status 1]\n')
    const cut = { command: ['sh', '-c', 'head -c 49980 /dev/zero | tr "\\0" a; echo "$K"'], env: { K: '${KEY}' } }
    expect((await call(cut, {}, { env })).out).not.toContain(testKey.slice(0, 10))
    // Masked, the rest is shorter than what is shown.
    const twice = { ...cut, command: ['sh', '-c', 'echo "$K"; head -c 49920 /dev/zero | tr "\\0" a; echo "$K$K"'] }
    const { out } = await call(twice, {}, { env })
    expect(out).not.toContain(testKey.slice(0, 10))
    expect(out).toContain('[the output is cut off here')
    // The end of stderr starts within a key.
    const often = { ...tool, command: ['sh', '-c', 'yes "$K " | head -n 400 >&2; exit 1'] }
    const { err } = await call(often, {}, { env, argv: ['--debug'] })
    expect(err).toContain('[key]')
    expect(leakIn(err)).toBeUndefined()
  })

  test.each<[what: string, script: string, error: string]>([
    ['stderr', 'exec yes >&2', 'y'],
    ['stderr of processes that ignore signals', "trap '' TERM INT; yes >&2 & wait", 'y'],
  ])('without end ends the command: %s', async (_what, script, error) => {
    const { code, err } = await call({ ...sh(script), timeout: 20 })
    expect({ code, err }).toEqual({ code: 1, err: `syn: t failed: ${error} [sent more than 16 MiB]\n` })
  })

  test('below 16 MiB runs on to its last line and status', async () => {
    const { err } = await call(sh('head -c 15000000 /dev/zero; echo done >&2; exit 3'))
    expect(err).toBe('syn: t failed: done [exited with status 3]\n')
  })

  test('shows stderr with --debug', async () => {
    const { out, err } = await call(sh('echo out; echo for debugging >&2'), {}, { argv: ['--debug'] })
    expect([out, err]).toEqual(['out\n', expect.stringContaining('t on stderr: for debugging\n')])
  })

  test('is sanitized on a terminal, and unchanged elsewhere', async () => {
    const file = join(emptyFolder(), 'hostile')
    writeFileSync(file, hostile)
    expect((await call({ command: ['cat', file] })).out).toBe(`${hostile}\n`)
    for (const script of ['cat "$F"', 'cat "$F"; cat "$F" >&2; exit 1']) {
      const tool = { command: ['sh', '-c', script], env: { F: file } }
      const { out, err } = await call(tool, {}, { isTerminal: true, env: { NO_COLOR: '1' } })
      expect(harmfulIn(out + err, true)).toEqual([])
      expect(out + err).toContain('␛]52;c;')
    }
  })
})

/** A script that writes the ID of its process to the file that it gets, and stays. */
const announcing = 'echo $$ > "$0.new"; mv "$0.new" "$0"; exec sleep 1000'

describe('nothing is left', () => {
  /** Starts a process that writes its ID to the file, and then the rest of the script. */
  const leaving = (file: string, rest: string): object => ({
    command: ['sh', '-c', `sh -c '${announcing}' "$0" & until [ -e "$0" ]; do :; done; ${rest}`, file],
  })

  test('after the command exits', async () => {
    const file = join(emptyFolder(), 'pid')
    expect(await call(leaving(file, 'echo done'))).toEqual({ code: 0, out: 'done\n', err: '' })
    await untilGone(file)
  })

  test('after its time', async () => {
    const file = join(emptyFolder(), 'pid')
    const { code, err } = await call({ ...leaving(file, 'echo begun; wait'), timeout: 0.5 })
    expect({ code, err }).toEqual({ code: 1, err: 'syn: t failed: begun [no result within 0.5 seconds]\n' })
    await untilGone(file)
  })

  test('what left the group does not hold up the result', async () => {
    const { out } = await call({ command: ['sh', '-c', 'setsid sh -c "sleep 2" & echo done'] })
    expect(out).toBe('done\n')
  })

  test.each(['SIGHUP', 'SIGQUIT'] as const)('after %s', async (signal) => {
    const file = join(emptyFolder(), 'pid')
    const tools = toolsFile({ tools: { t: leaving(file, 'echo begun >&2; wait') } })
    const running = startSyn(['tools', 'run', 't', '--tools-file', tools], environment())
    await untilThere(file)
    running.child.kill(signal)
    const ended = await running.ended
    expect([ended.code, ended.signal]).toEqual(signal === 'SIGHUP' ? [129, null] : [null, signal])
    await untilGone(file)
  })
})

describe('on a terminal', () => {
  const run = (script: string, ...given: string[]): Screen => {
    const file = toolsFile({ tools: { t: { command: ['sh', '-c', script, ...given] } } })
    return synOnTerminal(['tools', 'run', 't', '--tools-file', file], environment(), { asProcess: true })
  }

  test('a command can neither write to it nor read its keys', async () => {
    const screen = run('echo written > /dev/tty; read key < /dev/tty && echo read; cat; echo done')
    expect(await screen.ended).toBe(0)
    expect(screen.lines().filter(Boolean)).toEqual(['{}done'])
  })
})
