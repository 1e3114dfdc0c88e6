/** The files of a folder that the user names. `test/chat/working-files.e2e.test.ts` compares those of the working directory with git. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, type FolderOptions } from '../../src/io/files/folder-files.ts'
import { isIgnored, readIgnoreRules } from '../../src/io/files/gitignore.ts'
import { needsCommand } from '../helpers/installed.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { seededRandom } from '../helpers/seed.ts'

const { signal } = new AbortController()

function folderWith(files: Readonly<Record<string, string>>): string {
  const root = emptyFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

async function listed(folder: string, options?: Partial<FolderOptions>): Promise<string[]> {
  const found: string[] = []
  for await (const path of filesBelow(folder, { signal, ...options })) found.push(path)
  return found
}

test('each folder after the one that it is in, with the rules of the repository and of folders between', async () => {
  const root = folderWith({
    '.git/HEAD': '',
    '.gitignore': '*.log\n',
    'a/.gitignore': '/b/draft.md\n/x.md\n',
    'a/b/draft.md': '',
    'a/b/x.md': '',
    'a/b/1.log': '',
    'a/b/.hidden.md': '',
    'a/b/id_rsa': '',
    'a/b/deep/y.md': '',
    'a/b/deep/er/w.md': '',
    'a/b/c/z.md': '',
    'a/b/c/server.key': '',
  })
  const outside = emptyFolder()
  symlinkSync(join(root, 'a/b'), join(outside, 'link'))
  symlinkSync('..', join(root, 'a/b/back'))
  symlinkSync('x.md', join(root, 'a/b/again.md'))
  const expected = ['x.md', 'c/z.md', 'deep/y.md', 'deep/er/w.md']
  for (const folder of [join(root, 'a/b'), `${root}/a/../a/b//`, join(outside, 'link')])
    expect(await listed(folder), folder).toEqual(expected)
})

test('a folder that .gitignore excludes is read if it was named, with the rules below', async () => {
  const root = folderWith({
    '.git/HEAD': '',
    '.gitignore': 'dist\n*.log\n',
    'dist/.gitignore': '*.map\n',
    'dist/a.js': '',
    'dist/a.log': '',
    'dist/a.map': '',
    'dist/b/c.js': '',
    'src/a.log': '',
    'src/a.ts': '',
  })
  for (const [folder, isNamed, expected] of [
    ['dist', false, []],
    ['dist', true, ['a.js', 'a.log', 'b/c.js']],
    ['dist/b', true, ['c.js']],
    ['src', true, ['a.ts']],
    ['', true, ['src/a.ts']],
  ] as const)
    expect(await listed(join(root, folder), { isNamed }), folder).toEqual(expected)
})

test('a folder that cannot be read is an error, one in it is counted', async () => {
  await expect(listed(join(emptyFolder(), 'nothing'))).rejects.toThrow('ENOENT')
  const root = folderWith({ 'a.md': '', 'b/c.md': '', 'd/e.md': '' })
  let unreadable = 0
  const found: string[] = []
  for await (const path of filesBelow(root, { signal, onUnreadable: () => unreadable++ })) {
    found.push(path)
    rmSync(join(root, 'b'), { recursive: true, force: true })
  }
  expect(found).toEqual(['a.md', 'd/e.md'])
  expect(unreadable).toBe(1)
})

test('ends when the signal aborts', async () => {
  const root = folderWith({ 'a.md': '', 'b/c.md': '' })
  const aborting = new AbortController()
  const found: string[] = []
  for await (const path of filesBelow(root, { signal: aborting.signal })) {
    found.push(path)
    aborting.abort()
  }
  expect(found).toEqual(['a.md'])
})

test('any rules exclude what git check-ignore says: 10,000 paths', async () => {
  needsCommand('git')
  const random = seededRandom()
  const pick = (...all: readonly string[]): string => all[Math.floor(random() * all.length)] ?? ''
  const few = (one: () => string): string[] => Array.from({ length: 1 + Math.floor(random() * 3) }, one)
  const segment = (): string => few(() => pick(...globs)).join('')
  const globs = String.raw`a b c a * * ? [ab] [!a] [^b-] []a] [a-c] [c-a] [--a] [\]] \a \* - . ! # [ ] \ ** *** é`
    .split(' ')
    .concat(' ', '\\ ')
  const rule = (): string =>
    pick('', '', '!') + pick('', '/') + few(() => pick('**', '', ...few(segment))).join('/') + pick('', '/', '  ', '\r')
  const name = (): string => pick('a', 'b', '1', 'A', 'é') + pick(...'abc. -]!#A1é')
  const root = folderWith({})
  const git = (argv: string[], input?: string): string =>
    execFileSync('git', ['-C', root, ...argv], { input, encoding: 'utf8' })
  git(['init', '-q'])
  // On a busy disk, to create the files would take half a minute: git reads the rules only.
  const found: string[] = []
  const paths: string[] = []
  for (let folder = 0; folder < 100; folder++) {
    const file = join(root, `${folder}/.gitignore`)
    mkdirSync(dirname(file))
    writeFileSync(file, few(() => few(rule).join('\n')).join('\n'))
    const rules = readIgnoreRules(file, `${folder}/`)
    for (let count = 0; count < 100; count++) {
      const path = `${folder}/${few(name).join('/')}`
      const parents = Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1))
      paths.push(path)
      if ([...parents.slice(1), path].some((one) => isIgnored(one, rules))) found.push(path)
    }
  }
  const expected = git(['check-ignore', '-z', '--stdin'], paths.join('\0')).split('\0').slice(0, -1)
  expect(expected.length).toBeGreaterThan(1000)
  expect(found).toEqual(expected)
})

test('5,000 ordinary rules, and patterns that take exponential time elsewhere, exclude what they say', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `${'a-long-name/'.repeat(8)}a-component-${at}.ts`)
  const kinds = ['*.x', '/packages/', 'build-', '**/cache/*.', '*generated*', '!keep-', '[Bb]in/', 'a-long-name/**/*-']
  const rules = Array.from({ length: 5000 }, (_, at) => `${kinds[at % kinds.length]}${at}`)
  rules.push(`${'**/a*/'.repeat(28)}x`, `*${'a*'.repeat(99)}b`)
  const root = folderWith({ '.gitignore': rules.join('\n'), ...Object.fromEntries(names.map((name) => [name, ''])) })
  expect(await listed(root)).toEqual(names.sort())
})

test('a folder is named and left out if its .gitignore is too large, or its rules take too long', async () => {
  const root = folderWith({
    'a.md': '',
    'large/.gitignore': `${'#'.repeat(256 * 1024)}\nsecret.txt\n`,
    'large/secret.txt': '',
    'slow/.gitignore': `${'*a'.repeat(20)}*b*\n`.repeat(5000),
    [`slow/${'a'.repeat(200)}.md`]: '',
    'slow/deep/b.md': '',
  })
  const left: string[] = []
  expect(await listed(root, { onUnreadable: (path) => left.push(path) })).toEqual(['a.md'])
  expect(left).toEqual(['large/ (.gitignore is larger than 256 KiB)', 'slow/ (.gitignore takes too long)'])
  await expect(listed(join(root, 'large'))).rejects.toThrow('.gitignore is larger than 256 KiB')
})
