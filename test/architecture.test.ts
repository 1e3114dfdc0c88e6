import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { baseModules, commentViolations, factViolations, modules, violations } from './architecture/rules.ts'
import { parseSource, readSources } from './architecture/sources.ts'
import { unusedAssertions } from './architecture/terminal-rules.ts'

const root = new URL('../', import.meta.url)
const folder = (name: string): string => fileURLToPath(new URL(name, root))

test('src follows the dependency rules', () => {
  expect(violations(readSources(folder('src')))).toEqual([])
})

test('the list of files that may assert that a text is safe has no others', () => {
  expect(unusedAssertions(readSources(folder('src')))).toEqual([])
})

test('names and weights of models stand in one table', () => {
  expect(readSources(folder('src')).flatMap(factViolations)).toEqual([])
})

test.each(["const model = 'hf:org/Model'", 'if (/GLM-5.3/.test(name)) return', 'weightOf(model) * 0.05'])(
  'not in another file: %s',
  (code) => {
    expect(factViolations({ path: 'quota/a.ts', code })).toHaveLength(1)
    expect(factViolations({ path: 'sandbox/models.ts', code })).toEqual([])
  },
)

test('comments can be read alone', () => {
  const found = ['src', 'test', 'man', '.build', 'bin'].map((name) => readSources(folder(name)).map(commentViolations))
  expect(found.flat(2)).toEqual([])
  expect(found.map((files) => files.length > 0)).not.toContain(false)
})

test.each(['Also', 'As', 'It', 'Likewise', 'Not', 'Of', 'Such', 'They', 'Those', 'Where'])(
  'no comment begins with %s',
  (word) => {
    const source = parseSource(
      'io/a.ts',
      `/** ${word} a run. */\nrun() // ${word} before\n/**\n * Runs.\n * ${word} such.\n */`,
    )
    expect(commentViolations(source)).toHaveLength(3)
  },
)

const architecture = readFileSync(new URL('src/README.md', root), 'utf8')

test('src/README.md names files that exist', () => {
  const named = [...architecture.matchAll(/`([\w./-]+(?:\.(?:ts|md)|\/))`/g)].map(([, path = '']) => path)
  const own = named.filter((path) => !path.includes('NAME'))
  expect(own.length).toBeGreaterThan(50)
  expect(own.filter((path) => !existsSync(new URL(path.startsWith('test/') ? path : `src/${path}`, root)))).toEqual([])
})

test('imports go downwards in the diagram of src/README.md', () => {
  const [, diagram = ''] = /```\n(main\.ts[^`]+)```/.exec(architecture) ?? []
  // Modules between two arrows are on one level.
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

test('the top level has no other files', () => {
  const allowed =
    /^(\..+|package(-lock)?\.json|tsconfig\.json|bin|src|test|man|README\.md|LICENSE|CHANGELOG\.md|dist|release|node_modules)$/
  expect(readdirSync(root).filter((name) => !allowed.test(name) && !name.endsWith('.tgz'))).toEqual([])
})

test('the workflows name each action by its commit, which nobody can move as a tag, and its version', () => {
  const workflows = readdirSync(new URL('.github/workflows/', root))
  const texts = workflows.map((name) => readFileSync(new URL(`.github/workflows/${name}`, root), 'utf8'))
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => /^[\s-]*uses:/.test(line))
  expect(lines).not.toEqual([])
  expect(lines.filter((line) => !/uses: (\.\/.*|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(line))).toEqual([])
})

describe('the rules reject', () => {
  test.each([
    ['an upward import', 'fields/parse.ts', "import { run } from '../cli/run.ts'", 'fields may not import cli'],
    ['a re-export', 'io/io.ts', "export { a } from '../fields/parse.ts'", 'io may not import fields'],
    ['a command that imports another', 'commands/a.ts', "import './chat.ts'", 'never imports another command'],
    [
      'an operation that imports the client',
      'api/chat/operation.ts',
      "import { c } from '../client.ts'",
      'never imports the client',
    ],
    ['the sandbox importing the client', 'sandbox/a.ts', "import type { C } from '../api/client.ts'", 'tables only'],
    [
      'a command that imports the sandbox',
      'commands/chat.ts',
      "await import('../sandbox/server.ts')",
      'import the sandbox',
    ],
    [
      'a static import of the client',
      'api/lazy-client.ts',
      "import { Client } from './client.ts'",
      'loaded at the first request',
    ],
    ['a static import of the sandbox', 'context.ts', "import { s } from './sandbox/server.ts'", 'loaded on demand'],
    ['a static import of a command', 'cli/registry.ts', "import chat from '../commands/chat.ts'", 'when it is used'],
    ['a second import site', 'api/retry.ts', "import { Agent } from 'undici'", 'its only import site'],
    [
      'a package without an import site',
      'io/a.ts',
      "import pad from '@left/pad/a.js'",
      '@left/pad: the package has no',
    ],
    ['the process', 'io/a.ts', 'const home = process.env.HOME', 'only main.ts touches the process'],
    ['an unknown module', 'misc/a.ts', '', 'not in test/architecture/rules.ts'],
    ['a catch-all file', 'io/utils.ts', '', 'after its subject'],
    ['a barrel file', 'io/index.ts', '', 'import the file itself'],
    [
      'a reader past the limit of input',
      'input/a.ts',
      'for await (const chunk of io.in.chunks(flag, signal));',
      'only io/files/files.ts reads standard input',
    ],
    ['a listener', 'api/a.ts', "signal.addEventListener('abort', stop)", 'use io/time/abort-signal.ts'],
    ['a segmenter', 'terminal/width.ts', 'const all = new Intl.Segmenter()', 'use terminal/graphemes.ts'],
    ['a spread of a reply', 'api/a.ts', 'deltas.push(...decoded)', 'use io/arrays.ts'],
    ['JSON without a limit', 'models/a.ts', 'const list = JSON.parse(text)', 'no limit of depth'],
    ['a cast to SafeText', 'search/a.ts', 'sink.write(title as SafeText)', 'only io/text/safe-text.ts casts'],
    ['a cast through unknown', 'search/a.ts', 'write(title as unknown as SafeText)', 'only io/text/safe-text.ts casts'],
    ['a cast to any', 'search/a.ts', 'sink.write(title as any)', 'would let any text pass as SafeText'],
    ['a text asserted to be safe', 'search/a.ts', 'sink.write(asSafeText(title))', 'asSafeText may be used only in'],
    ['text for any sink', 'search/a.ts', 'sink.write(textFor(sink, title))', 'textFor may be used only in'],
    [
      'a SafeText by another name',
      'search/a.ts',
      "import { type SafeText as S } from '../io/text/safe-text.ts'",
      'is imported by name',
    ],
    ['its module as a whole', 'search/a.ts', "import * as s from '../io/text/safe-text.ts'", 'is imported by name'],
    ['the stream of a terminal', 'search/a.ts', 'io.err.stream?.write(title)', 'get the stream of a terminal'],
    ['a write past the sink', 'search/a.ts', 'writeSync(1, title)', 'through its sink'],
    ['the console', 'search/a.ts', 'console.error(title)', 'through its sink'],
    ['readline', 'search/a.ts', "import { createInterface } from 'node:readline'", 'readline writes what is typed'],
  ])('%s', (_what, path, text, message) => {
    expect(violations([parseSource(path, text)])).toEqual([expect.stringContaining(message)])
  })

  test('a package loaded at startup, even indirectly', () => {
    const sources = [
      parseSource('commands/chat.ts', "import { show } from '../answer/show.ts'"),
      parseSource('answer/show.ts', "import { spin } from '../terminal/spinner.ts'"),
      parseSource('terminal/spinner.ts', "import ora from 'ora'"),
    ]
    expect(violations(sources)).toEqual(['commands/chat.ts loads ora at startup, through terminal/spinner.ts'])
  })

  test('a cycle, even of types', () => {
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
  ['a lazy import of the client', 'api/lazy-client.ts', "const { c } = await import('./client.ts')"],
  ['the sandbox command importing the sandbox', 'commands/sandbox.ts', "import { s } from '../sandbox/server.ts'"],
  ['the sandbox importing tables', 'sandbox/a.ts', "import { chatFields } from '../api/chat/fields.ts'"],
  ['the maker of SafeText', 'io/text/safe-text.ts', 'return made as SafeText'],
  ['types of SafeText', 'search/a.ts', 'const lines = new Map<string, SafeText[]>(), a = f(x as string, y: SafeText)'],
  ['the stream for a question', 'io/process/text-question.ts', 'const output = io.err.stream'],
  ['a spread of what tables have', 'cli/help.ts', 'Math.max(...widths)'],
  ['comments and strings', 'io/a.ts', "// process.exit, import x from 'ora'\nconst text = 'in process. Then'"],
])('the rules allow %s', (_what, path, text) => {
  expect(violations([parseSource(path, text)])).toEqual([])
})
