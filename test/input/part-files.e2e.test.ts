/** The files that the paths of a search stand for, and what is read of them. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:buffer'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { partFiles, splitParts, readPartFile } from '../../src/input/parts.ts'
import type { InputIo } from '../../src/io/files/files.ts'
import { InputBudget } from '../../src/io/process/input-budget.ts'
import { StandardInput } from '../../src/io/process/standard-input.ts'
import { mebibyte, repeated } from '../helpers/large.ts'
import { needsPermissions } from '../helpers/modes.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

const previous = process.cwd()
let root = ''
beforeEach(() => process.chdir((root = emptyFolder())))
afterEach(() => process.chdir(previous))

function write(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
}

const signal = new AbortController().signal

function io(stdin: Iterable<Uint8Array> = []): InputIo {
  return { in: new StandardInput('pipe', () => Readable.from(stdin)), inputBudget: new InputBudget(), signal }
}

async function found(...typed: string[]): Promise<string[]> {
  const paths: string[] = []
  for await (const file of partFiles(typed, { signal })) paths.push(`${file.path}${file.isNamed ? ' (named)' : ''}`)
  return paths
}

/** The texts of all files; those that were skipped are null. */
async function texts(typed: readonly string[], from = io()): Promise<(string | null)[]> {
  const read: (string | null)[] = []
  for await (const file of partFiles(typed, { signal })) read.push((await readPartFile(file, from)) ?? null)
  return read
}

/** The files of a folder are tried in `test/io/folder-files.e2e.test.ts`. */
describe('which files', () => {
  const docs = ['docs/a.md', 'docs/b.md', 'docs/sub/c.md']
  const shallow = (one: string, other: string): number => one.split('/').length - other.split('/').length

  beforeEach(() => {
    const others = ['docs/.git/HEAD', 'docs/1.tmp', 'docs/.env', 'my notes [1]/x.md', 'z.md']
    write(Object.fromEntries([...docs, ...others].map((path) => [path, ''])))
    write({ 'docs/.gitignore': '*.tmp\n' })
    symlinkSync('docs', join(root, 'link'))
    symlinkSync('a.md', join(root, 'docs/again.md'))
  })

  test.each<[title: string, typed: string[], expected: string[]]>([
    ['a folder', ['docs//'], docs],
    ['from here', ['./docs'], docs.map((path) => `./${path}`)],
    ['a link to a folder', ['link/'], docs.map((path) => path.replace('docs', 'link'))],
    ['named files, whatever they are', ['docs/1.tmp', 'docs/.env'], ['docs/1.tmp (named)', 'docs/.env (named)']],
    ['each file once', ['docs/b.md', 'docs', './docs/a.md', 'docs/b.md'], ['docs/b.md (named)', 'docs/a.md', docs[2]!]],
    ['a pattern', ['d*/**/a*.md'], ['docs/a.md', 'docs/again.md']],
    ['a name that is like a pattern', ['my notes [1]'], ['my notes [1]/x.md']],
    ['what does not exist', ['nothing.md', '*.txt', ''], ['nothing.md (named)', '*.txt (named)', ' (named)']],
    ['standard input', ['-', 'z.md', '-'], ['- (named)', 'z.md (named)']],
  ])('%s', async (_title, typed, expected) => {
    expect(await found(...typed)).toEqual(expected)
  })

  test('this folder, and others', async () => {
    expect(await found('.')).toEqual(
      ['./z.md', ...docs.map((path) => `./${path}`), './my notes [1]/x.md'].sort(shallow),
    )
    process.chdir('docs/sub')
    expect(await found('.', '..')).toEqual(['./c.md', '../a.md', '../b.md'])
  })
})

describe('what is read', () => {
  test('text in UTF-8 without its mark; no other file', async () => {
    write({
      'a.txt': '\ufeff# A\r\n\r\nb',
      'binary.bin': Buffer.from([0x41, 0, 0x42]),
      'empty.txt': '',
      'latin1.txt': Buffer.from('caf\u00e9', 'latin1'),
      'utf-16.txt': Buffer.from('\ufeffabc', 'utf16le'),
    })
    const expected = ['# A\r\n\r\nb', null, '', null, null]
    expect(await texts(['.'])).toEqual(expected)
    const names = ['a.txt', 'binary.bin', 'empty.txt', 'latin1.txt', 'utf-16.txt']
    expect(await texts(names)).toEqual(expected)
    expect([...splitParts(String((await texts(names))[0]), 'paragraph')]).toEqual([{ line: 1, text: '# A\n\nb' }])
  })

  test('a file that is gone is an error if it was named, and skipped otherwise', async () => {
    write({ 'a.md': '', 'b.md': '' })
    const files: { path: string; isNamed: boolean }[] = []
    for await (const file of partFiles(['a.md', '.'], { signal })) files.push(file)
    rmSync('a.md')
    rmSync('b.md')
    const [named, other] = files as [(typeof files)[0], (typeof files)[0]]
    await expect(readPartFile(named, io())).rejects.toThrow('cannot read a.md: no such file')
    expect(await readPartFile(other, io())).toBeUndefined()
    await expect(texts(['*.txt'])).rejects.toThrow('cannot read *.txt: no such file')
    await expect(texts([''])).rejects.toThrow('the path is empty')
  })

  test('what is closed to the user is an error if it was named, and counted otherwise', async (context) => {
    needsPermissions(context)
    write({ 'a.md': 'a', 'b.md': 'b', 'sub/c.md': 'c' })
    chmodSync('a.md', 0)
    chmodSync('sub', 0)
    let unreadable = 0
    const read: (string | undefined)[] = []
    for await (const file of partFiles(['.'], { signal, onUnreadable: () => unreadable++ }))
      read.push(await readPartFile(file, io()))
    expect(read).toEqual([undefined, 'b'])
    expect(unreadable).toBe(1)
    await expect(texts(['a.md'])).rejects.toThrow('cannot read a.md: permission denied')
    await expect(texts(['sub'])).rejects.toThrow('cannot read sub: permission denied')
  })

  test('standard input, once', async () => {
    expect(await texts(['-', '-'], io([Buffer.from('a\nb')]))).toEqual(['a\nb'])
    expect(await texts(['-'], io([Buffer.from([0xff])]))).toEqual([null])
  })

  test('a pipe', async () => {
    execFileSync('mkfifo', ['pipe'])
    const writer = spawn('sh', ['-c', 'echo from a pipe > pipe'], { cwd: root })
    expect(await texts(['pipe'])).toEqual(['from a pipe\n'])
    await once(writer, 'close')
    // One that was not named has no writer, perhaps.
    write({ 'p.txt': 'text' })
    expect(await texts(['.', 'p*'])).toEqual(['text'])
  })

  test('not more than a string may have', async () => {
    let count = 0
    const endless = (function* () {
      for (const chunk of repeated('some words\n', 2 ** 20)) {
        count++
        yield chunk
      }
    })()
    expect(await texts(['-'], io(endless))).toEqual([null])
    expect(count).toBeLessThan(constants.MAX_STRING_LENGTH / mebibyte + 20)
  })
})
