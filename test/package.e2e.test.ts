/** The package as users install it. Needs the build, which `npm test` runs first. */

import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { environment } from './helpers/program.ts'
import { manPages } from '../man/pages.ts'
import { emptyFolder } from './helpers/run-syn.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>

interface Packed {
  filename: string
  files: { path: string }[]
}

/** Runs a program with an empty home directory, so that npm has no configuration. */
async function runIn(file: string, argv: string[], home: string): Promise<string> {
  const env = { ...environment(), HOME: home }
  const { stdout } = await promisify(execFile)(file, argv, { cwd: root, env })
  return stdout
}

async function pack(home: string): Promise<Packed> {
  const flags = ['--json', '--ignore-scripts', '--offline', '--pack-destination', home]
  const text = await runIn('npm', ['pack', ...flags], home)
  const [packed] = JSON.parse(text) as Packed[]
  if (packed === undefined) throw new Error('npm packed nothing')
  return packed
}

const home = emptyFolder()
const packed = await pack(home)

function bundles(): string[] {
  const names = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.js')).map((name) => `dist/${name}`)
}

test('the package has only the files that users need', async () => {
  const { files } = packed
  const pages = [...(await manPages()).keys()].map((file) => `man/${file}`)
  const others = ['LICENSE', 'README.md', 'bin/syn.js', 'dist/THIRD-PARTY.txt', 'package.json']
  expect(files.map(({ path }) => path).sort()).toEqual([...others, ...bundles(), ...pages].sort())
})

test('the package has no dependencies', () => {
  const needs = Object.keys(manifest).filter((key) => key.endsWith('ependencies') && key !== 'devDependencies')
  expect(needs).toEqual([])
})

test('THIRD-PARTY.txt lists every bundled package', () => {
  const notice = readFileSync(join(root, 'dist/THIRD-PARTY.txt'), 'utf8')
  const named = bundles().flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^\/\/ node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm),
  ])
  const names = [...new Set(named.map(([, name = '']) => name))]
  expect(names).toContain('commander')
  expect(names.filter((name) => !notice.includes(`\n${name} `))).toEqual([])
})

test('after a global installation without a network, it runs and has its man pages', async () => {
  const prefix = join(home, 'prefix')
  await runIn('npm', ['install', '--global', '--offline', '--prefix', prefix, join(home, packed.filename)], home)
  expect(await runIn(join(prefix, 'bin/syn'), ['--version'], home)).toBe(`${String(manifest.version)}\n`)
  expect(readdirSync(join(prefix, 'share/man/man1')).sort()).toEqual([...(await manPages()).keys()].sort())
})
