/** `-f *.txt`: the shell makes several words of it. A quoted pattern names the files that it matches. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

const folder = emptyFolder()
const at = (name: string): string => join(folder, name)
for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', '.hidden.txt', 'other'])
  writeFileSync(at(name), `text of ${name}\n`)
for (const name of ['a.png', 'b.png']) writeFileSync(at(name), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
mkdirSync(at('folder.txt'))
for (const name of ['sub/e.txt', 'sub/f.txt', '[x]/g.txt', '[x]/h.txt']) {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), `text of ${name}\n`)
}

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

const inputs = ['chat', 'count-tokens', 'embed'].map((command): [string, string] => [command, '-f'])
const images = ['messages'].map((command): [string, string] => [command, '-i'])

describe('the files of an expanded pattern are not taken as text', () => {
  test.each([...inputs, ...images])('syn %s %s', async (command, flag) => {
    const [a, b] = flag === '-f' ? [at('a.txt'), at('b.txt')] : [at('a.png'), at('b.png')]
    expect(await refused([command, flag, a, b, 'Summarize'])).toBe(
      `syn: ${flag} takes one file, but ${b} after ${a} is a file too\n` +
        `hint: repeat ${flag} for each file, or quote the pattern\n`,
    )
  })

  test.each<[argv: string[]]>([
    [['-f', at('a.txt'), 'Summarize', at('b.txt')]],
    [[at('b.txt'), '-f', at('a.txt')]],
    [['--system=-f', '-m', 'hf:a/b', at('a.txt'), at('b.txt')]],
  ])('other words stay as they are: %j', async (argv) => {
    expect(await printed(['chat', ...argv])).toContain(argv.at(-1))
  })

  test('--help still helps', async () => {
    expect(await runSyn(['chat', '-f', at('a.txt'), at('b.txt'), '--help'])).toMatchObject({ code: 0, err: '' })
  })
})

describe('a quoted pattern names files', () => {
  test.each(inputs)('syn %s %s', async (command, flag) => {
    const out = await printed([command, flag, at('*.txt')])
    // count-tokens sends a request for each file, and shows the first.
    const first = command === 'count-tokens' ? ['a'] : ['a', 'b', 'c', 'd']
    expect(out.match(/text of [\w.]+/g)).toEqual(first.map((name) => `text of ${name}.txt`))
  })

  test.each(images)('syn %s %s', async (command, flag) => {
    const out = await printed([command, flag, at('?.png'), 'What is this?'])
    expect(out.match(/iVBORw0KGgo=/g)).toHaveLength(2)
  })

  test.each<[pattern: string, names: string[]]>([
    ['?.txt', ['a.txt', 'b.txt', 'c.txt', 'd.txt']],
    ['.*', ['.hidden.txt']],
    ['*[b]*', []],
    ['(*|*).t?t', []],
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
