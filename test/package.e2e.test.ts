/** The package as users install it. Needs the build, which `npm test` runs first. */

import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { pack } from '../.build/npm.ts'
import { runNpm } from './helpers/program.ts'
import { environment, node, program } from './helpers/program.ts'
import { manPages } from '../man/pages.ts'
import { packagesOf, sourcesOf } from './helpers/bundle.ts'
import { emptyFolder } from './helpers/run-syn.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

interface Manifest {
  version: string
  engines: { node: string }
  scripts: Record<string, string>
}

const home = emptyFolder()
const packed = pack('--offline', '--pack-destination', home)

function bundles(): string[] {
  const names = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.cjs')).map((name) => `dist/${name}`)
}

test('the package has only the files that users need', async () => {
  const { files } = packed
  const pages = [...(await manPages()).keys()].flatMap((file) => [`man/${file}`, `dist/man/${file.slice(0, -1)}txt`])
  const others = ['LICENSE', 'README.md', 'bin/syn.cjs', 'dist/THIRD-PARTY.txt', 'package.json']
  expect(files.map(({ path }) => path).sort()).toEqual([...others, ...bundles(), ...pages].sort())
})

test('the package has no dependencies', () => {
  const needs = Object.keys(manifest).filter((key) => key.endsWith('ependencies') && key !== 'devDependencies')
  expect(needs).toEqual([])
})

test('THIRD-PARTY.txt lists every bundled package', () => {
  const notice = readFileSync(join(root, 'dist/THIRD-PARTY.txt'), 'utf8')
  const sources = bundles().flatMap((file) => sourcesOf(join(root, file)))
  const names = packagesOf(sources)
  expect(names).toContain('commander')
  expect(names.filter((name) => !notice.includes(`\n${name} `))).toEqual([])
})

test('every file of the bundle loads', () => {
  const script = `for (const file of process.argv.slice(1)) require(file)`
  const argv = ['-e', script, ...bundles().map((file) => join(root, file))]
  expect(spawnSync(node, argv, { encoding: 'utf8', env: environment() })).toMatchObject({ status: 0, stderr: '' })
})

test('the bundle makes no other require, which could load a package installed beside it', () => {
  expect(bundles().filter((file) => readFileSync(join(root, file), 'utf8').includes('createRequire'))).toEqual([])
})

test('the bundle refers to no source maps, which are not published', () => {
  expect(bundles().filter((file) => readFileSync(join(root, file), 'utf8').includes('sourceMappingURL='))).toEqual([])
})

// npm warns of these when it installs a package. `preprepare` builds in a checkout too, and npm does not mind it.
test.each(['preinstall', 'install', 'postinstall', 'prepare'])('there is no %s script', (name) => {
  expect(Object.keys(manifest.scripts)).not.toContain(name)
})

test('after a global installation without a network, it runs and has its man pages', async () => {
  const prefix = join(home, 'prefix')
  const flags = ['--global', '--offline', '--prefix', prefix]
  const { err } = await runNpm('npm', ['install', ...flags, join(home, packed.filename)], home)
  expect(err).toBe('')
  const version = await runNpm(join(prefix, 'bin/syn'), ['--version'], home)
  expect(version.out).toBe(`${manifest.version}\n`)
  const licenses = await runNpm(join(prefix, 'bin/syn'), ['--licenses'], home)
  const texts = ['LICENSE', 'dist/THIRD-PARTY.txt'].map((path) => readFileSync(join(root, path), 'utf8'))
  expect(licenses.out).toBe(texts.join('\n'))
  expect(readdirSync(join(prefix, 'share/man/man1')).sort()).toEqual([...(await manPages()).keys()].sort())
})

describe('the version of Node', () => {
  const oldest = manifest.engines.node.replace('>=', '')

  test.each([
    ['18.20.8', 1],
    ['20.18.0', 1],
    [oldest, 0],
    ['100.0.0', 0],
  ])('%s: exit status %i', (version, code) => {
    const preload = join(emptyFolder(), 'preload.cjs')
    writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`)
    const argv = ['--require', preload, program, '--version']
    const { status, stderr } = spawnSync(node, argv, { encoding: 'utf8', env: environment() })
    const message = `syn: needs Node ${oldest} or newer, this is ${version}\n`
    expect({ status, stderr }).toEqual({ status: code, stderr: code === 0 ? '' : message })
  })
})
