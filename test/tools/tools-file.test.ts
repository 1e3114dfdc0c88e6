/** What tools.json may contain, and which file it is. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { quoted } from '../helpers/program.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { texts, toolsFile } from '../helpers/tools.ts'

const command = ['echo']

/** Prints the error of a run with the only tool `t`, without the path of the file. */
async function problem(document: unknown, name = 't', env = {}): Promise<string> {
  const file = toolsFile(document)
  const { code, out, err } = await runSyn(['tools', 'run', '--tools-file', file, name], { env })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  return err.replaceAll(file, 'FILE')
}

describe('an error names the file and the JSON path', () => {
  test.each<[what: string, document: unknown, error: string]>([
    ['no JSON', '{"tools": {', "FILE: not valid JSON at line 1, column 12: Expected property name or '}'"],
    ['no object', '[]', 'FILE: the value is not accepted; expected an object'],
    [
      'a typo',
      { tool: {} },
      'FILE: $.tool: the key is not accepted; expected tools or mcpServers (did you mean tools?)',
    ],
    ['no command', { tools: { t: {} } }, 'FILE: $.tools.t.command is missing; it is required'],
    [
      'a line',
      { tools: { t: { command: 'ls -l' } } },
      'FILE: $.tools.t.command: the value is not accepted; expected an array',
    ],
    [
      'a key',
      { tools: { t: { command, paramters: {} } } },
      'FILE: $.tools.t.paramters: the key is not accepted; expected description, parameters, command, env or timeout (did you mean parameters?)',
    ],
    [
      '__proto__',
      '{"tools":{"__proto__":{"command":["x"]},"t.":{"command":["x"]}}}',
      'FILE: $.tools["t."]: the value is not accepted; expected 1 to 64 letters, digits, - and _, and not search',
    ],
    [
      'the name of a server',
      { tools: { t: { command } }, mcpServers: { t: { url: 'http://h' } } },
      'FILE: $.tools.t: the name is not accepted; expected another one than that of a server',
    ],
    [
      'a server of both',
      { mcpServers: { t: { command: 'x', url: 'http://h' } } },
      'FILE: $.mcpServers.t: the value is not accepted; expected either a command or a url',
    ],
    [
      'no schema',
      { tools: { t: { command, parameters: { type: 'object', properties: { a: { type: 'txt' } } } } } },
      'FILE: $.tools.t.parameters: not a JSON schema: $.properties.a.type must be equal to one of the allowed values: ["array","boolean","integer","null","number","object","st…',
    ],
    [
      'all arguments',
      { tools: { t: { command: ['x', '{{.}}'] } } },
      'FILE: $.tools.t.command[1]: {{.}} is not accepted: the command gets all arguments on stdin',
    ],
    [
      'a timeout',
      { tools: { t: { command, timeout: 0 } } },
      'FILE: $.tools.t.timeout: the value is not accepted; expected a number of seconds above 0',
    ],
    [
      'a token in the wrong place',
      { mcpServers: { t: { url: 'http://h', headers: 'Bearer secret' } } },
      'FILE: $.mcpServers.t.headers: the value is not accepted; expected an object',
    ],
    [
      'a NUL',
      { tools: { t: { command: ['x', 'a\0'] } } },
      'FILE: $.tools.t.command[1]: the value is not accepted; expected a text without NUL',
    ],
    [
      'a program of the model',
      { tools: { t: { command: ['{{a}}'], parameters: texts('a') } } },
      'FILE: $.tools.t.command[0]: {{a}} is not accepted: the model may not choose the program',
    ],
    [
      'no parameter',
      { tools: { t: { command: ['x', '{{citty}}'], parameters: texts('city') } } },
      'FILE: $.tools.t.command[1]: no parameter "citty" (available: "city")',
    ],
    [
      'another notation',
      { tools: { t: { command, env: { A: '${A:+b}' } } } },
      'FILE: $.tools.t.env["A"]: what follows $ is not accepted; expected ${NAME}',
    ],
    [
      'a variable of syn, as others write it',
      { tools: { t: { command, env: { A: '${env:SYN_API_KEY:-x}' } } } },
      'FILE: $.tools.t.env["A"]: ${SYN_API_KEY} is not accepted: tools get no variable of syn',
    ],
    [
      'a variable without braces',
      { mcpServers: { t: { command: 'x', env: { A: '$TOKEN' } } } },
      'FILE: $.mcpServers.t.env["A"]: a variable without braces is not accepted; expected ${NAME}',
    ],
    [
      'one at the end',
      { mcpServers: { t: { url: 'http://h', headers: { A: 'Bearer $TOKEN' } } } },
      'FILE: $.mcpServers.t.headers["A"]: a variable without braces is not accepted; expected ${NAME}',
    ],
  ])('%s', async (_what, document, error) => {
    expect(await problem(document, 't', { SYN_API_KEY: 'a key of syn' })).toBe(`syn: ${error}\n`)
  })
})

describe('a parameter that may be absent, in a word before others', () => {
  const tool = (words: string[], parameters: object): object => ({
    tools: { t: { command: ['true', ...words], parameters: { type: 'object', ...parameters } } },
  })
  const o = { o: { type: 'string' } }
  const nested = (inner: object): object => ({ properties: { o: { type: 'object', ...inner } }, required: ['o'] })

  test.each<[words: string[], parameters: object, at: number, name: string]>([
    [['-o', '{{o}}', '--'], { properties: o }, 2, 'o'],
    [['-d', 'name={{o}}', 'x'], { properties: o }, 2, 'o'],
    [['{{o}}', 'x'], { properties: { o: true } }, 1, 'o'],
    [['https://h/{{o}}', 'x'], { properties: { o: { type: ['string', 'null'], default: null } } }, 1, 'o'],
    [['{{o.a}}', 'x'], nested({ properties: { a: {} } }), 1, 'o.a'],
  ])('%j with %j is an error', async (words, parameters, at, name) => {
    expect(await problem(tool(words, parameters))).toMatch(
      `syn: FILE: $.tools.t.command[${at}]: {{${name}}} may be absent, and the words after it would move\n` +
        'hint: make it required',
    )
  })

  test.each<[words: string[], parameters: object]>([
    [['-o', '{{o}}'], { properties: o }],
    [['if={{o}}', 'q=={{o}}', 'x'], { properties: o }],
    [['{{o}}', 'x'], { properties: { o: { default: 'd' } } }],
    [['{{o.a}}', 'x'], { properties: { o: { default: { a: 1 }, properties: { a: {} }, required: ['a'] } } }],
    // What these schemas require, the call shows.
    [['{{o.a}}', 'x'], nested({})],
    [['{{o.a}}', 'x'], { ...nested({ $ref: '#/$defs/a', properties: { a: {} } }), $defs: { a: { required: ['a'] } } }],
    [['{{o}}', 'x'], { properties: o, anyOf: [{ required: ['o'] }] }],
  ])('%j with %j is none', async (words, parameters) => {
    const file = toolsFile(tool(words, parameters))
    const { code, err } = await runSyn(['tools', 'list', 't', '--tools-file', file])
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})

describe('the file', () => {
  const tools = { tools: { mine: { command, description: 'Mine' } } }

  function homeWith(document: unknown): { home: string; folder: string; path: string } {
    const home = emptyFolder()
    const folder = join(home, '.config', 'syn')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'tools.json')
    writeFileSync(path, JSON.stringify(document))
    return { home, folder, path }
  }

  const search = 'search\tsearch\t\tThe web search of the service\n'

  test('is the one of the config directory, not of the working directory', async () => {
    const { home, folder } = homeWith(tools)
    const out = `mine\tcommand\t\tMine\n${search}`
    expect(await runSyn(['tools'], { env: { HOME: home } })).toEqual({ code: 0, out, err: '' })
    const before = process.cwd()
    process.chdir(folder)
    try {
      expect(await runSyn(['tools', 'list'])).toEqual({ code: 0, out: search, err: '' })
    } finally {
      process.chdir(before)
    }
  })

  test('that others can change is refused', async () => {
    const { home, folder, path } = homeWith(tools)
    chmodSync(path, 0o666)
    const { code, err } = await runSyn(['tools'], { env: { HOME: home } })
    expect([code, err]).toEqual([2, expect.stringMatching(/^syn: refusing to read .*: other users can change it\n/)])
    chmodSync(path, 0o600)
    chmodSync(folder, 0o777)
    expect((await runSyn(['tools'], { env: { HOME: home } })).code).toBe(2)
  })

  test('of --tools-file must exist', async () => {
    const { code, err } = await runSyn(['tools', '--tools-file', '/nowhere/t.json'])
    expect({ code, err }).toEqual({ code: 2, err: 'syn: --tools-file: cannot read /nowhere/t.json: no such file\n' })
  })

  test('is completed from, and a damaged one is no error', async () => {
    const { home } = homeWith({ ...tools, mcpServers: { files: { command: 'x' }, '$(id)': { command: 'x' } } })
    const complete = async (line: string): Promise<string[]> => {
      const { code, out } = await runSyn(['completion', '--words', line], { env: { HOME: home } })
      expect(code).toBe(0)
      return out.split('\n').flatMap((row) => row.split('\t')[0] || [])
    }
    expect(await complete('syn tools run ')).toEqual(['mine', 'files', 'search'])
    expect(await complete('syn tools list s')).toEqual(['search'])
    const other = toolsFile({ tools: { other: { command } } })
    expect(await complete(`syn tools run --tools-file ${quoted(other)} `)).toEqual(['other', 'search'])
    expect(await complete(`syn tools run --tools-file ${quoted(toolsFile('{'))} `)).toEqual([])
    expect(await complete('syn tools run --tools-file - ')).toEqual([])
  })
})
