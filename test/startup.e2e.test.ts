/** Nothing is loaded before it is needed: checks what a run of the built program loads. */

import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { packagesOf, sourcesOf } from './helpers/bundle.ts'
import { wellBehaved } from './helpers/embed.ts'
import { environment, node, program, start } from './helpers/program.ts'
import { record } from './helpers/quota.ts'
import { emptyFolder, runSyn } from './helpers/run-syn.ts'
import { type Answer, chatAnswer, events, json, startService } from './helpers/service.ts'
import { toolsFile } from './helpers/tools.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Coverage {
  result: { url: string }[]
}

interface Loaded {
  /** Files of the build, without the hash in their names: `program`, `client`. */
  files: string[]
  packages: string[]
  sources: string[]
  /** The sources that run tools of models. */
  tools: string[]
  /** Modules of Node. */
  modules: string[]
}

/** What a run loads, which must succeed. */
async function loadedBy(argv: readonly string[], env: Record<string, string> = {}): Promise<Loaded> {
  return loadedByNode([program, ...argv], env)
}

async function loadedByNode(argv: readonly string[], env: Record<string, string> = {}): Promise<Loaded> {
  const folder = emptyFolder()
  // Node's coverage lists every loaded script, without a loader hook that would change what is loaded.
  const { ended } = start(node, [...argv], { ...environment(), ...env, NODE_V8_COVERAGE: folder })
  const { code, err } = await ended
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage
    return result.map(({ url }) => url)
  })
  rmSync(folder, { recursive: true })
  const paths = urls.filter((url) => url.includes('/dist/')).map((url) => fileURLToPath(url))
  const sources = paths.flatMap(sourcesOf)
  return {
    sources,
    tools: sources.filter((source) => /^src\/(tools\/|answer\/tool-turns)/.test(source)),
    files: paths.map((path) => basename(path, '.cjs').replace(/-.{8}$/, '')).sort(),
    packages: packagesOf(sources),
    modules: urls.filter((url) => url.startsWith('node:')).map((url) => url.slice('node:'.length)),
  }
}

/** Modules that take long to load. Undici needs assert, http and stream. */
const costly =
  /^(assert|child_process|crypto|dgram|fs\/promises|http2?|https|readline|repl|stream|tls|url|v8|worker_threads|zlib)$/

function costlyOf({ modules }: Pick<Loaded, 'modules'>): string[] {
  return modules.filter((name) => costly.test(name)).sort()
}

test('--version loads nothing of the program', async () => {
  const { files, sources, ...loaded } = await loadedBy(['--version'])
  expect({ files, sources, modules: costlyOf(loaded) }).toEqual({ files: [], sources: [], modules: [] })
  expect((await runSyn(['--version'])).out).toBe(spawnSync(node, [program, '--version'], { encoding: 'utf8' }).stdout)
})

test('help loads no parser, and nothing that works', async () => {
  const { files, packages } = await loadedBy(['--help'])
  expect({ files, packages }).toEqual({ files: ['main'], packages: [] })
})

test.each(['chat', 'tools', 'man'])('%s --help loads its tables, and nothing that works', async (name) => {
  const { files, packages } = await loadedBy([name, '--help'])
  expect({ files: files.filter((file) => file !== 'rolldown-runtime'), packages }).toEqual({
    files: [name, 'main', 'tables'].sort(),
    packages: [],
  })
})

describe('a request into a pipe', () => {
  const answers: [line: string, answer: Answer, files: string[]][] = [
    ['chat -m hf:org/model hi', events(chatAnswer(['Hel', 'lo'])), ['asking', 'chat']],
    [
      'embed -m hf:org/embedder hi',
      wellBehaved,
      ['asking', 'concurrent-map', 'embed', 'embed', 'embedding-input', 'embedding-model', 'records'],
    ],
    ['quota', json(record), ['quota', 'tab-separated', 'view']],
  ]

  test.each(answers)('%s', async (line, answer, files) => {
    await using service = await startService(answer)
    const loaded = await loadedBy(line.split(' '), service.env)
    expect(loaded.files).toEqual([...files, 'client', 'main', 'program', 'rolldown-runtime', 'tables'].sort())
    expect(loaded.packages).toEqual(['commander', 'eventsource-parser', 'undici'])
    // For a flag of V8 on Node 20.
    expect(costlyOf(loaded).filter((name) => name !== 'v8')).toEqual(['assert', 'http', 'stream'])
  })

  test.each(['quota', 'models'])('%s loads nothing that answers or conversations need', async (name) => {
    await using service = await startService(json(name === 'quota' ? record : { data: [] }))
    const { sources } = await loadedBy([name, '-q'], service.env)
    expect(sources).toContain(`src/commands/${name}.ts`)
    expect(sources.filter((source) => /^src\/(answer|conversation|input)\//.test(source))).toEqual([])
  })

  test('that is only printed loads no client', async () => {
    const { files, modules } = await loadedBy(['chat', '--curl', '-m', 'hf:org/model', 'hi'], {
      SYN_BASE_URL: 'http://127.0.0.1:9',
      SYN_API_KEY: 'a key',
    })
    expect(files).not.toContain('client')
    expect(modules).not.toContain('http')
  })
})

test.each([
  ['Some **bold** text\n\nfor $5 or $6', false],
  ['The area is $\\pi r^2$', true],
])('an answer with Markdown loads the signs of formulas only for one: %j', async (text, isLoaded) => {
  await using service = await startService(events(chatAnswer([text])))
  const { sources, packages } = await loadedBy(['chat', '--color=always', '-q', 'hi'], service.env)
  expect(sources).toContain('src/terminal/markdown/renderer.ts')
  expect(packages.includes('unicodeit')).toBe(isLoaded)
})

test('only --allow and -T load what runs tools', async () => {
  const without = await loadedBy(['chat', '--sandbox', '--tools', '[]', 'hi'])
  expect(without.tools).toEqual([])
  const withSearch = await loadedBy(['chat', '--sandbox', '--allow', 'search', 'hi'])
  expect(withSearch.tools).toContain('src/tools/open-tools.ts')
})

describe('a tool', () => {
  const server = fileURLToPath(new URL('fixtures/mcp/server.mjs', import.meta.url))
  const file = toolsFile({ tools: { t: { command: ['true'] } }, mcpServers: { s: { command: node, args: [server] } } })

  test('that is a command loads no client of servers, and none of the service', async () => {
    const { files, packages } = await loadedBy(['tools', 'run', 't', '--tools-file', file])
    expect(files).not.toContain('client')
    expect(packages.filter((name) => /undici|modelcontextprotocol/.test(name))).toEqual([])
  })

  test('of a server loads the client of servers', async () => {
    const { packages } = await loadedBy(['tools', 'run', 's/call', '--tools-file', file, '-q'])
    expect(packages).toContain('@modelcontextprotocol/client')
  })
})

test('a checkout without a build reports it', () => {
  const folder = emptyFolder()
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  const { status, stdout, stderr } = spawnSync(node, [join(folder, 'bin/syn.cjs'), 'chat'], {
    encoding: 'utf8',
    env: environment(),
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^syn: not built yet: .*npm install.*\n$/)
})
