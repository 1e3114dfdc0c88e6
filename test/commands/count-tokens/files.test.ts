/** The input, and the output: a number. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shellWord } from '../../../src/io/text/shell-word.ts'
import type { AskingOptions } from '../../helpers/asking.ts'
import { count, countTokens, refusalOf } from '../../helpers/count-tokens.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { json, startService } from '../../helpers/service.ts'

const folder = emptyFolder()
const files: Record<string, string | Buffer> = {
  'a.txt': 'four\n',
  'b.md': '# Twelve long\n\n',
  'photo.jpg': Buffer.from([0xff, 0xd8, 0xff]),
}
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
const at = (name: string): string => join(folder, name)

/** `a.txt b.md` → `-f FOLDER/a.txt -f FOLDER/b.md` */
function named(names: string): string[] {
  return names.split(' ').flatMap((name) => ['-f', name === '-' ? name : at(name)])
}

test.each<[argv: string[], options: AskingOptions, out: string]>([
  [['Say', 'hello'], {}, '9\n'],
  [['-'], { stdin: 'four\n' }, '4\n'],
  [[], { stdin: 'four\n\n' }, '5\n'],
])('%j prints one number', async (argv, options, out) => {
  expect(await countTokens(argv, options)).toMatchObject({ code: 0, out, err: '' })
})

test.each<[argv: string[], options: AskingOptions, out: string]>([
  [[], { stdin: '' }, '0\n'],
  [[], { stdin: '\n\n' }, '0\n'],
])('empty standard input counts 0, and is not sent: %j', async (argv, options, out) => {
  expect(await countTokens(argv, options)).toMatchObject({ code: 0, out, err: '', asked: [] })
})

test.each<[argv: string[], code: number, out: string, err: string]>([
  [['--max', '9', 'Say hello'], 0, '9\n', ''],
  [['--max', '8', '-q', 'Say hello'], 8, '9\n', 'syn: 9 tokens exceed --max 8\n'],
  [['--max', '3', '--json', 'four'], 8, '{"input_tokens":4,"cached":false}\n', 'syn: 4 tokens exceed --max 3\n'],
])('%j', async (argv, code, out, err) => {
  expect(await countTokens(argv)).toMatchObject({ code, out, err })
})

describe('is refused', () => {
  const example = 'for example: cat *.md | syn count-tokens'
  test.each<[argv: string[], refusal: string]>([
    [[], `no text: give it as arguments, in files or on standard input (${example})`],
    [
      [at('a.txt')],
      'FOLDER/a.txt is a file, not text to count (use -f FOLDER/a.txt to count its content, or pipe it in)',
    ],
    [named('missing.txt'), '--file: cannot read FOLDER/missing.txt: no such file'],
    [named('photo.jpg'), '--file FOLDER/photo.jpg: not UTF-8 text, but a JPEG image (use --image for images)'],
  ])('%j', async (argv, refusal) => {
    const words = argv.map((word) => word.replace('FOLDER', folder))
    // The path may need quotes.
    const refused = (await refusalOf(words)).replace(shellWord(at('a.txt')), 'FOLDER/a.txt')
    expect(refused.replaceAll(folder, 'FOLDER')).toBe(refusal)
  })

  test('but a word that is not a file is counted', async () => {
    for (const word of [folder, at('nowhere'), 'x'.repeat(10_000)])
      expect(await countTokens([word])).toMatchObject({ code: 0, out: `${word.length}\n` })
  })
})

test('nothing is written to -o before the count has arrived', async () => {
  const path = at('counts')
  writeFileSync(path, 'before')
  await using service = await startService(json({ error: 'No' }, 400))
  const { code } = await runSyn(['count-tokens', '-o', path, 'four'], { env: service.env })
  expect(code).toBe(1)
  await using other = await startService(count(4))
  await runSyn(['count-tokens', '-o', at('new'), 'four'], { env: other.env })
  expect([readFileSync(path, 'utf8'), readFileSync(at('new'), 'utf8')]).toEqual(['before', '4\n'])
})
