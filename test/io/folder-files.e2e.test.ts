/** The files of a folder that the user names. `test/chat/working-files.e2e.test.ts` compares those of the working directory with git. */

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, type FolderOptions } from '../../src/io/files/folder-files.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

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
