import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { baseModules, modules, violations } from './architecture/rules.ts'
import { parseSource, readSources } from './architecture/sources.ts'

const root = new URL('../', import.meta.url)
const folder = (name: string): string => fileURLToPath(new URL(name, root))

test('src keeps to the rules', () => {
  expect(violations(readSources(folder('src')))).toEqual([])
})

test('no file anywhere is longer than 400 lines', () => {
  const sources = ['src', 'test', 'man', 'bin', '.build'].flatMap((name) => readSources(folder(name)))
  expect(sources.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path}: ${lines} lines`)).toEqual([])
})

const architecture = readFileSync(new URL('src/README.md', root), 'utf8')

test('src/README.md names files that exist', () => {
  const named = [...architecture.matchAll(/`([\w./-]+(?:\.(?:ts|md)|\/))`/g)].map(([, path = '']) => path)
  const own = named.filter((path) => !path.includes('NAME'))
  expect(own.length).toBeGreaterThan(50)
  expect(own.filter((path) => !existsSync(new URL(path.startsWith('test/') ? path : `src/${path}`, root)))).toEqual([])
})

test('in the diagram of src/README.md imports go downwards', () => {
  const [, diagram = ''] = /```\n(main\.ts[^`]+)```/.exec(architecture) ?? []
  // Modules between two arrows stand on one level.
  const levels = diagram
    .split(/^ │$/m)
    .map((level) =>
      level
        .split('\n')
        .flatMap((line) => [...line.slice(0, 25).matchAll(/([\w-]+)(?:\/|\.ts)/g)].map(([, name = '']) => name)),
    )
  expect(levels.flat().toSorted()).toEqual(Object.keys(modules).toSorted())
  const levelOf = (name: string): number => levels.findIndex((level) => level.includes(name))
  const upward = Object.entries(modules).flatMap(([name, allowed]) =>
    [...allowed, ...(baseModules.includes(name) ? [] : baseModules)]
      .filter((other) => levelOf(other) <= levelOf(name))
      .map((other) => `${name} → ${other}`),
  )
  expect(upward).toEqual([])
})

test('the top level holds what it may hold', () => {
  const allowed =
    /^(\..+|package(-lock)?\.json|tsconfig\.json|bin|src|test|man|README\.md|LICENSE|CHANGELOG\.md|dist|node_modules)$/
  expect(readdirSync(root).filter((name) => !allowed.test(name) && !name.endsWith('.tgz'))).toEqual([])
})

describe('the rules find', () => {
  test.each([
    ['an upward import', 'fields/parse.ts', "import { run } from '../cli/run.ts'", 'fields may not import cli'],
    [
      'one that is only a type',
      'api/quota.ts',
      "import type { A } from '../terminal/table.ts'",
      'api may not import terminal',
    ],
    [
      'one of several lines',
      'stream/sse.ts',
      "import {\n  a,\n  b,\n} from '../api/b.ts'",
      'stream may not import api',
    ],
    ['one that is exported again', 'io/io.ts', "export { a } from '../fields/body.ts'", 'io may not import fields'],
    ['one command in another', 'commands/a.ts', "import './chat.ts'", 'never imports another command'],
    [
      'the client in an operation',
      'api/chat/decode.ts',
      "import { c } from '../client.ts'",
      'never imports the client',
    ],
    ['the client in the sandbox', 'sandbox/a.ts', "import type { C } from '../api/client.ts'", 'tables only'],
    ['the sandbox in a command', 'commands/chat.ts', "await import('../sandbox/server.ts')", 'import the sandbox'],
    ['an eager sandbox', 'context.ts', "import { s } from './sandbox/server.ts'", 'loaded on demand'],
    ['an eager command', 'cli/registry.ts', "import chat from '../commands/chat.ts'", 'when it is named'],
    ['a second import site', 'api/retry.ts', "import { Agent } from 'undici'", 'its only import site'],
    ['a second import site by path', 'api/retry.ts', "await import('undici/lib/a.js')", 'its only import site'],
    [
      'a package without an import site',
      'io/a.ts',
      "import pad from '@left/pad/a.js'",
      '@left/pad: the package has no',
    ],
    ['the process', 'io/a.ts', 'const home = process.env.HOME', 'only main.ts touches the process'],
    ['the imported process', 'io/a.ts', "import { env } from 'node:process'", 'only main.ts touches the process'],
    ['an unknown module', 'misc/a.ts', '', 'not in test/architecture/rules.ts'],
    ['a drawer for everything', 'io/utils.ts', '', 'named after what it is about'],
    ['a mere list of exports', 'io/index.ts', '', 'import the file that is meant'],
    ['a second meter', 'chat/answer.ts', 'const meter = new Meter(model, now)', 'constructed in answer/ask.ts alone'],
    ['a second choice of printer', 'chat/a.ts', 'await choosePrinter(source)', 'constructed in answer/ask.ts alone'],
    ['a long file', 'io/a.ts', '\n'.repeat(401), '401 lines'],
  ])('%s', (_what, path, text, message) => {
    expect(violations([parseSource(path, text)])).toEqual([expect.stringContaining(message)])
  })

  test('what loads a package at start-up, however far away', () => {
    const sources = [
      parseSource('commands/chat.ts', "import { show } from '../answer/show.ts'"),
      parseSource('answer/show.ts', "import { spin } from '../terminal/spinner.ts'"),
      parseSource('terminal/spinner.ts', "import ora from 'ora'"),
    ]
    expect(violations(sources)).toEqual(['commands/chat.ts loads ora at start-up, by way of terminal/spinner.ts'])
  })

  test('a cycle, of types too', () => {
    const sources = [
      parseSource('io/a.ts', "import { b } from './b.ts'"),
      parseSource('io/b.ts', "import { c } from './c.ts'"),
      parseSource('io/c.ts', "import type { A } from './a.ts'"),
    ]
    expect(violations(sources)).toEqual(['io/a.ts imports io/b.ts imports io/c.ts imports io/a.ts: a cycle'])
  })
})

test.each([
  ['a lazy import', 'context.ts', "const { s } = await import('./sandbox/server.ts')"],
  ['the sandbox in its command', 'commands/sandbox.ts', "import { s } from '../sandbox/server.ts'"],
  ['a base module', 'stream/sse.ts', "import { FailedError } from '../errors.ts'"],
  ['tables in the sandbox', 'sandbox/a.ts', "import { chatFields } from '../api/chat/fields.ts'"],
  ['an import site', 'terminal/spinner.ts', "import ora from 'ora'"],
  ['comments and words', 'io/a.ts', "// process.exit, import x from 'ora'\nconst text = 'in process. Then'"],
])('the rules allow %s', (_what, path, text) => {
  expect(violations([parseSource(path, text)])).toEqual([])
})
