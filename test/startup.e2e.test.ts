/** Nothing is loaded before it is needed: checks the files that a run of the built program loads. */

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { environment, node } from './helpers/program.ts'
import { registry } from '../src/cli/registry.ts'
import { emptyFolder } from './helpers/run-syn.ts'
import { pairs } from './helpers/samples.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What explains a wrong command line. */
const onlyAfterFailure = /^src\/cli\/(usage-error|first-guess|synonyms)\.ts$/

interface Coverage {
  result: { url: string }[]
}

/** The sources of the chunks that a run loads: `src/run.ts`, `node_modules/commander/lib/help.js`. */
function loadedBy(...argv: string[]): string[] {
  const folder = emptyFolder()
  // Node's coverage lists every loaded script, without a loader hook that would change what is loaded.
  const env = { ...environment(), HOME: folder, NODE_V8_COVERAGE: folder }
  execFileSync(node, [join(root, 'bin/syn.cjs'), ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const scripts = readdirSync(folder)
    .filter((name) => name.startsWith('coverage-'))
    .flatMap((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage).result)
    .filter(({ url }) => url.includes('/dist/'))
    .map(({ url }) => `${fileURLToPath(url)}.map`)
  rmSync(folder, { recursive: true })
  return scripts.filter((map) => existsSync(map)).flatMap(sourcesOf)
}

function sourcesOf(map: string): string[] {
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }
  return sources.map((source) => source.replace(/^(\.\.\/)+/, ''))
}

function packagesOf(sources: string[]): string[] {
  const names = sources.map((source) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}

test.each(['--version', '-V'])('%s loads nothing from the bundle', (flag) => {
  expect(loadedBy(flag)).toEqual([])
})

test.each(['-h', '--help'])('%s loads no command and no package but commander', (flag) => {
  const loaded = loadedBy(flag)
  expect(packagesOf(loaded)).toEqual(['commander'])
  expect(loaded.filter((source) => source.startsWith('src/commands/'))).toEqual([])
})

describe("a command's help loads no client, no sandbox, no package but commander", () => {
  test.each(
    pairs(
      registry.map(({ name }) => name),
      ['-h', '--help'],
    ),
  )('%s %s', (name, flag) => {
    const loaded = loadedBy(name, flag)
    expect(loaded).toContain(`src/commands/${name}.ts`)
    expect(packagesOf(loaded)).toEqual(['commander'])
    expect(loaded.filter((source) => /^src\/(api\/client|sandbox\/server)\.ts$/.test(source))).toEqual([])
    expect(loaded.filter((source) => onlyAfterFailure.test(source))).toEqual([])
  })
})

test('an answer into a pipe loads no spinner, no Markdown and no prompts', () => {
  const loaded = loadedBy('chat', '--sandbox', 'Say hello')
  expect(packagesOf(loaded)).toContain('undici')
  expect(
    packagesOf(loaded).filter((name) =>
      /^(ora|highlight\.js|entities|fast-string-width|@clack\/prompts|ajv)$/.test(name),
    ),
  ).toEqual([])
  expect(loaded.filter((source) => onlyAfterFailure.test(source))).toEqual([])
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
