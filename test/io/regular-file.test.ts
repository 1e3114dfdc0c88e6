import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onceClosed, replaceFile, syncName } from '../../src/io/files/regular-file.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { expectMode } from '../helpers/modes.ts'

test.each(['', 'old'])('a file that held %j is replaced, and only the user can read it', async (old) => {
  const folder = emptyFolder()
  const path = join(folder, 'x.json')
  if (old !== '') writeFileSync(path, old, { mode: 0o644 })
  await replaceFile(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expectMode(path, '600')
  expect(readdirSync(folder)).toEqual(['x.json'])
})

test('a failure leaves no temporary file', async () => {
  const folder = emptyFolder()
  // A directory that isn't empty can't be replaced by a file.
  mkdirSync(join(folder, 'x.json', 'y'), { recursive: true })
  await expect(replaceFile(join(folder, 'x.json'), 'new')).rejects.toThrow(`cannot write ${join(folder, 'x.json')}: `)
  expect(readdirSync(folder)).toEqual(['x.json'])
})

test('two runs at once: the file is that of one of them, complete', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'x.json')
  const texts = ['a', 'b'].map((letter) => letter.repeat(200_000))
  await Promise.all(texts.map((text) => replaceFile(path, text)))
  expect(texts).toContain(readFileSync(path, 'utf8'))
})

test('a name that cannot be put on the disk is an error', () => {
  const path = join(emptyFolder(), 'gone', 'x.json')
  expect(() => syncName(path)).toThrow(`cannot write ${path}: no such directory`)
})

test.runIf(existsSync('/proc/self'))('a file system that syncs no folder needs none', () => {
  expect(() => syncName('/proc/self/stat')).not.toThrow()
})

/** Fails this many times, as Windows does while another program has the file open. */
function openElsewhere(times: number): () => void {
  let left = times
  return () => {
    if (left-- > 0) throw Object.assign(new Error('in use'), { code: 'EPERM' })
  }
}

test('on Windows, what fails while a file is open elsewhere is tried again, but not elsewhere', async () => {
  await expect(onceClosed(openElsewhere(2), true)).resolves.toBeUndefined()
  await expect(onceClosed(openElsewhere(2), false)).rejects.toThrow('in use')
  await expect(onceClosed(openElsewhere(Infinity), true, 1001)).rejects.toThrow('in use')
})
