/** What users get: the packed tarball, installed as they would. Needs the build, which `npm test` makes first. */

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

/** Runs a program in a home of its own, as somebody would who has never configured npm. */
async function runAlone(file: string, argv: string[], home: string): Promise<string> {
  const env = { ...environment(), HOME: home }
  const { stdout } = await promisify(execFile)(file, argv, { cwd: root, env })
  return stdout
}

async function pack(home: string): Promise<Packed> {
  const flags = ['--json', '--ignore-scripts', '--offline', '--pack-destination', home]
  const text = await runAlone('npm', ['pack', ...flags], home)
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

test('the package holds what users need and nothing else', async () => {
  const { files } = packed
  const pages = [...(await manPages()).keys()].map((file) => `man/${file}`)
  const others = ['LICENSE', 'README.md', 'bin/syn.js', 'dist/THIRD-PARTY.txt', 'package.json']
  expect(files.map(({ path }) => path).sort()).toEqual([...others, ...bundles(), ...pages].sort())
})

test('the package depends on nothing', () => {
  const needs = Object.keys(manifest).filter((key) => key.endsWith('ependencies') && key !== 'devDependencies')
  expect(needs).toEqual([])
})

test('the notice lists every bundled package', () => {
  const notice = readFileSync(join(root, 'dist/THIRD-PARTY.txt'), 'utf8')
  const named = bundles().flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^\/\/ node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm),
  ])
  const names = [...new Set(named.map(([, name = '']) => name))]
  expect(names).toContain('commander')
  expect(names.filter((name) => !notice.includes(`\n${name} `))).toEqual([])
})

test('installed globally without a network, it runs and has its manual', async () => {
  const prefix = join(home, 'prefix')
  await runAlone('npm', ['install', '--global', '--offline', '--prefix', prefix, join(home, packed.filename)], home)
  expect(await runAlone(join(prefix, 'bin/syn'), ['--version'], home)).toBe(`${String(manifest.version)}\n`)
  expect(readdirSync(join(prefix, 'share/man/man1')).sort()).toEqual([...(await manPages()).keys()].sort())
})
