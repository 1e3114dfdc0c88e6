/** What becomes one request is limited to 64 MiB in all, counted as it is read. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mebibyte, repeated, sparseFile } from '../../helpers/large.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'

const limit = 'exceeds the limit of 64 MiB of input per request'
const large = sparseFile(2048 * mebibyte)
const letters = (size: number): string => {
  const path = join(emptyFolder(), 'letters.txt')
  writeFileSync(path, Buffer.alloc(size, 'x'))
  return path
}
/** All but 4 MiB of the limit. */
const inputBefore = 60 * mebibyte
const half = letters(2.5 * mebibyte)
// In base64 it takes a third more.
const png = sparseFile(3.5 * mebibyte)
writeFileSync(png, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), { flag: 'r+' })

describe('a file of 2 GiB is refused at once', () => {
  test.each<[argv: string[], where: string]>([
    [['chat', 'hi', '-f', large], '--file'],
    [['chat', 'hi', '--body', large], '--body'],
    [['chat', 'hi', '-s', `@${large}`], '--system'],
    [['embed', '-f', large], '--file'],
  ])('%j', async (argv, flag) => {
    const { code, out, err } = await runSyn([...argv, '--dry-run'])
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: `syn: ${flag} ${large}: ${limit}\n` })
  })
})

describe('standard input is refused as soon as it is too large', () => {
  test.each<[argv: string[]]>([[['chat', 'hi']], [['search']], [['embed']]])('%j', async (argv) => {
    let read = 0
    function* counted(): Generator<Uint8Array> {
      for (const chunk of repeated('y\n', 100)) {
        read++
        yield chunk
      }
    }
    const { code, out, err } = await runSyn([...argv, '--dry-run'], { stdin: counted(), inputBefore })
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: `syn: standard input: ${limit}\n` })
    // Node reads a little ahead.
    expect(read).toBeLessThan(30)
  })

  test('without other input at 64 MiB', async () => {
    const { code, err } = await runSyn(['chat', '--dry-run'], { stdin: repeated('y\n', 65) })
    expect({ code, err }).toEqual({ code: 2, err: `syn: standard input: ${limit}\n` })
  })
})

describe('inputs are counted together', () => {
  test.each<[what: string, argv: string[], where: string]>([
    ['a system prompt and a file', ['-s', `@${half}`, '-f', half], `--file ${half}`],
    ['an image in base64', ['-i', png], `--image ${png}`],
  ])('%s', async (_what, argv, where) => {
    const { code, err } = await runSyn(['chat', 'hi', '--dry-run', ...argv], { inputBefore })
    expect({ code, err }).toEqual({ code: 2, err: `syn: ${where}: ${limit}\n` })
  })

  test('below the limit all of it is sent', async () => {
    const { code, out } = await runSyn(['chat', '--dry-run'], { stdin: repeated('x', 3), inputBefore })
    expect({ code, size: Math.floor(out.length / mebibyte) }).toEqual({ code: 0, size: 3 })
  })
})
