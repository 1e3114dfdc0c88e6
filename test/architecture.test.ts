import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { violations } from './architecture/rules.ts'
import { parseSource, readSources } from './architecture/sources.ts'

const root = new URL('../', import.meta.url)
const folder = (name: string): string => fileURLToPath(new URL(name, root))

test('src keeps to the rules', () => {
  expect(violations(readSources(folder('src')))).toEqual([])
})

test('no file anywhere is longer than 250 lines', () => {
  const sources = ['src', 'test', 'man', 'bin', '.build'].flatMap((name) => readSources(folder(name)))
  expect(sources.filter(({ lines }) => lines > 250).map(({ path, lines }) => `${path}: ${lines} lines`)).toEqual([])
})

test('the top level holds what it may hold', () => {
  const allowed = /^(\..+|package(-lock)?\.json|tsconfig\.json|bin|src|test|man|README\.md|LICENSE|dist|node_modules)$/
  expect(readdirSync(root).filter((name) => !allowed.test(name) && !name.endsWith('.tgz'))).toEqual([])
})

describe('the rules find', () => {
  test.each([
    ['an upward import', 'fields/parse.ts', "import { run } from '../run.ts'", 'fields may not see run'],
    [
      'one that is only a type',
      'api/quota.ts',
      "import type { A } from '../render/table.ts'",
      'api may not see render',
    ],
    ['one of several lines', 'stream/sse.ts', "import {\n  a,\n  b,\n} from '../api/b.ts'", 'stream may not see api'],
    ['one that is exported again', 'io/io.ts', "export { a } from '../fields/json.ts'", 'io may not see fields'],
    ['one command in another', 'commands/a.ts', "import './chat.ts'", 'never imports another command'],
    ['the client in an operation', 'api/chat/decode.ts', "import { c } from '../client.ts'", 'how it travels'],
    ['the client in the sandbox', 'sandbox/a.ts', "import type { C } from '../api/client.ts'", 'tables only'],
    ['the sandbox in a command', 'commands/chat.ts', "await import('../sandbox/server.ts')", 'know the sandbox'],
    ['an eager sandbox', 'context.ts', "import { s } from './sandbox/server.ts'", 'loaded when asked for'],
    ['an eager command', 'registry.ts', "import chat from './commands/chat.ts'", 'when it is named'],
    ['a second door', 'api/retry.ts', "import { Agent } from 'undici'", 'its only door'],
    ['a second door by path', 'api/retry.ts', "await import('undici/lib/a.js')", 'its only door'],
    ['a package without a door', 'io/a.ts', "import pad from '@left/pad/a.js'", '@left/pad: the package has no door'],
    ['the process', 'io/a.ts', 'const home = process.env.HOME', 'only main.ts touches the process'],
    ['the imported process', 'io/a.ts', "import { env } from 'node:process'", 'only main.ts touches the process'],
    ['an unknown room', 'misc/a.ts', '', 'not in test/architecture/rules.ts'],
    ['a drawer for everything', 'io/utils.ts', '', 'named after what it is about'],
    ['a mere list of exports', 'io/index.ts', '', 'import the file that is meant'],
    ['a long file', 'io/a.ts', '\n'.repeat(251), '251 lines'],
  ])('%s', (_what, path, text, message) => {
    expect(violations([parseSource(path, text)])).toEqual([expect.stringContaining(message)])
  })

  test('what loads a package at the start, however far away', () => {
    const sources = [
      parseSource('commands/chat.ts', "import { show } from '../render/answer.ts'"),
      parseSource('render/answer.ts', "import { spin } from './spinner.ts'"),
      parseSource('render/spinner.ts', "import ora from 'ora'"),
    ]
    expect(violations(sources)).toEqual(['commands/chat.ts loads ora at its start, by way of render/spinner.ts'])
  })
})

test.each([
  ['a lazy import', 'context.ts', "const { s } = await import('./sandbox/server.ts')"],
  ['the sandbox in its command', 'commands/sandbox.ts', "import { s } from '../sandbox/server.ts'"],
  ['a leaf', 'stream/sse.ts', "import { FailedError } from '../errors.ts'"],
  ['tables in the sandbox', 'sandbox/a.ts', "import { chatFields } from '../api/chat/fields.ts'"],
  ['a door', 'render/spinner.ts', "import ora from 'ora'"],
  ['comments and words', 'io/a.ts', "// process.exit, import x from 'ora'\nconst text = 'in process. Then'"],
])('the rules allow %s', (_what, path, text) => {
  expect(violations([parseSource(path, text)])).toEqual([])
})
