/** `npm run release -- --dry-run`, in a repository of its own. Needs the build. */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { environment, node } from './helpers/program.ts'
import { emptyFolder } from './helpers/run-syn.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A commit of what the working tree has, with the built program. */
function checkout(): string {
  const folder = join(emptyFolder(), 'checkout')
  // The file has the key of the tests, which nothing that they leave may contain.
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = git(root, 'ls-files', '--cached', '--others', '--exclude-standard').split('\n')
  for (const file of [...files, 'dist']) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  git(folder, 'init', '--quiet')
  commit(folder)
  return folder
}

function git(folder: string, ...argv: string[]): string {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'safe.directory=*']
  const { status, stdout, stderr } = spawnSync('git', [...author, ...argv], { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

function commit(folder: string): void {
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'all')
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  writeFileSync(path, changed)
}

function release(folder: string, ...flags: string[]): { status: number | null; stdout: string; stderr: string } {
  const argv = ['--env-file=.build/tsx.env', '--import', 'tsx', '.build/release.ts', ...flags]
  return spawnSync(node, argv, { cwd: folder, encoding: 'utf8', env: environment() })
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const next = (text: string): string => text.replaceAll(`"version": "${version}"`, '"version": "9.8.7"')

test('the dry run packs the package, an archive for packagers, and their checksums', () => {
  const folder = checkout()
  const { status, stdout, stderr } = release(folder, '--dry-run')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain(`before the release: this commit needs the tag v${version}\n`)
  const sums = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(folder, 'release'), encoding: 'utf8' })
  const archive = `syn-${version}-man-and-completions`
  expect(sums.stdout).toBe(`syn-cli-${version}.tgz: OK\n${archive}.tar.gz: OK\n`)
  const list = spawnSync('tar', ['-tzf', `release/${archive}.tar.gz`], { cwd: folder, encoding: 'utf8' }).stdout
  expect(readFileSync(join(folder, 'release/notes.md'), 'utf8')).toMatch(/^\S[^]*\n- /)
  for (const file of ['man/syn.1', 'man/syn-chat.1', 'completions/bash/syn', 'completions/zsh/_syn', 'LICENSE'])
    expect(list).toContain(`${archive}/${file}\n`)
})

describe('it fails', () => {
  test('on a working tree with changes', () => {
    const folder = checkout()
    edit(folder, 'README.md', (text) => `${text}\n`)
    writeFileSync(join(folder, 'notes.txt'), '')
    const message = 'release: the working tree has changes; commit them first:\n M README.md\n?? notes.txt\n'
    expect(release(folder, '--dry-run')).toEqual(expect.objectContaining({ status: 1, stdout: '', stderr: message }))
  })

  test('on versions that differ, without an entry, with an empty one, and with another tag', () => {
    const folder = checkout()
    const failsWith = (message: string): void => {
      commit(folder)
      expect(release(folder, '--dry-run')).toMatchObject({ status: 1, stderr: `release: ${message}\n` })
    }
    edit(folder, 'package.json', (text) => text.replace(`"version": "${version}"`, '"version": "9.8.7-rc.1"'))
    failsWith('version 9.8.7-rc.1 is not of the form 1.2.3')
    edit(folder, 'package.json', (text) => text.replace('9.8.7-rc.1', '9.8.7'))
    failsWith(`package-lock.json has version ${version}, package.json 9.8.7`)
    edit(folder, 'package-lock.json', next)
    failsWith('CHANGELOG.md has no heading "## [9.8.7] - DATE" for this version')
    edit(folder, 'CHANGELOG.md', (text) => text.replace('## [', '## [9.8.7] - 2026-01-02\n\n## ['))
    failsWith('CHANGELOG.md has nothing under "## [9.8.7] - 2026-01-02"')
    edit(folder, 'CHANGELOG.md', (text) => text.replace('2026-01-02\n', '2026-01-02\n\n- New.\n'))
    git(folder, 'commit', '--quiet', '--all', '--message', 'all')
    git(folder, 'tag', 'v9.8.6')
    const message = 'release: the tag v9.8.6 is not v9.8.7, the version of package.json\n'
    expect(release(folder, '--dry-run')).toMatchObject({ status: 1, stderr: message })
  })

  test('on a table that differs from its man page', () => {
    const folder = checkout()
    edit(folder, 'src/fields/global-options.ts', (text) => text.replace("help: 'Number of retries'", "help: 'Retries'"))
    commit(folder)
    const { status, stderr } = release(folder, '--dry-run')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^release: man\/syn[\w-]*\.1 differs from its tables; run npm run man\n$/)
  })

  test('without --dry-run, while the release lacks something', () => {
    const { status, stderr } = release(checkout())
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^release: .+\n$/) as string })
  })
})
