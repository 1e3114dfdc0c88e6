/** `-f *.txt`: the shell makes several words of it. A quoted pattern names the files that it matches. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

const folder = emptyFolder()
const at = (name: string): string => join(folder, name)
for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', '.hidden.txt', 'other'])
  writeFileSync(at(name), `text of ${name}\n`)
for (const name of ['a.png', 'b.png']) writeFileSync(at(name), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
mkdirSync(at('folder.txt'))

/** What a run that must send nothing reports. */
async function refused(argv: string[]): Promise<string> {
  await using service = await startService(json({}))
  const { code, out, err } = await runSyn(argv, { env: { ...service.env, SYN_EMBED_MODEL: 'hf:a/b' } })
  expect({ code, out, asked: service.asked }, err).toEqual({ code: 2, out: '', asked: [] })
  return err
}

/** The request that a command prints. */
async function printed([command = '', ...argv]: string[]): Promise<string> {
  const { code, out, err } = await runSyn([command, '--dry-run', '-q', ...argv], { env: { SYN_EMBED_MODEL: 'hf:a/b' } })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

describe('the files of an expanded pattern are not taken as text', () => {
  test.each([
    ['chat', '-f', 'txt'],
    ['embed', '-f', 'txt'],
    ['messages', '-i', 'png'],
  ])('syn %s %s', async (command, flag, extension) => {
    const [a, b] = [at(`a.${extension}`), at(`b.${extension}`)]
    expect(await refused([command, flag, a, b, 'Summarize'])).toBe(
      `syn: ${flag} takes one file, but ${b} after ${a} is a file too\n` +
        `hint: repeat ${flag} for each file, or quote the pattern\n`,
    )
  })

  test('other words stay as they are', async () => {
    for (const argv of [
      ['-f', at('a.txt'), 'Summarize', at('b.txt')],
      [at('b.txt'), '-f', at('a.txt')],
    ])
      expect(await printed(['chat', ...argv])).toContain(argv.at(-1))
  })
})

describe('a quoted pattern names files', () => {
  test('syn count-tokens -f', async () => {
    expect((await printed(['count-tokens', '-f', at('*.txt')])).match(/text of [\w.]+/g)).toHaveLength(4)
  })

  test('syn messages -i', async () => {
    const out = await printed(['messages', '-i', at('?.png'), 'What is this?'])
    expect(out.match(/iVBORw0KGgo=/g)).toHaveLength(2)
  })

  test.each<[pattern: string, names: string[]]>([
    ['?.txt', ['a.txt', 'b.txt', 'c.txt', 'd.txt']],
    ['.*', ['.hidden.txt']],
    ['*[b]*', []],
  ])('%s', async (pattern, names) => {
    const path = at(pattern)
    if (names.length === 0)
      expect(await refused(['chat', '-f', path])).toBe(`syn: --file: cannot read ${path}: no such file\n`)
    else {
      const out = await printed(['chat', '-f', path])
      expect(out.match(/text of [\w. ]+(?=\\n)/g)).toEqual(names.map((name) => `text of ${name}`))
    }
  })

  test('links to folders and links that lead nowhere are skipped, as folders are', async () => {
    const links = emptyFolder()
    const link = (target: string, name: string): void => symlinkSync(target, join(links, name))
    link(folder, 'a-folder')
    link('missing', 'b-nowhere')
    link('c-loop', 'c-loop')
    link(at('a.txt'), 'd-file')
    expect((await printed(['chat', '-f', join(links, '*')])).match(/text of [\w. ]+(?=\\n)/g)).toEqual([
      'text of a.txt',
    ])
    expect(await refused(['chat', '-f', join(links, 'b*')])).toBe(
      `syn: --file: cannot read ${join(links, 'b*')}: no such file\n`,
    )
  })

  test('a file whose name has a wildcard is that file, and a URL is no pattern', async () => {
    const odd = join(emptyFolder(), 'what?.txt')
    writeFileSync(odd, 'odd')
    writeFileSync(odd.replace('?', 's'), 'other')
    expect(await printed(['chat', '-f', odd])).not.toContain('other')
    expect(await printed(['chat', '-i', 'https://a.example/x.png?y=*', 'hi'])).toContain('https://a.example/x.png?y=*')
  })
})
