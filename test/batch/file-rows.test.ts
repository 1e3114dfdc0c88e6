/** `syn batch --files`: each file is a row. */

import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { streamed } from '../helpers/chat-chunks.ts'
import { emptyFolder, type Outcome, type RunOptions, runSyn } from '../helpers/run-syn.ts'
import { type Asked, json, startService } from '../helpers/service.ts'

const promptOf = (asked: Asked): string => (asked.json as { messages: [{ content: string }] }).messages[0].content
let onRequest = (): void => undefined
const service = await startService((asked, response) => {
  if (!asked.json) return json({}, 404)(asked, response)
  onRequest()
  return streamed(promptOf(asked))(asked, response)
})
afterAll(() => service.close())
beforeEach(() => void (onRequest = () => undefined))

/** A folder with these files. */
function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = emptyFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** @returns also the prompts that were sent; the path of the folder is left out of what is printed. */
async function batch(folder: string, patterns: readonly string[], argv: readonly string[], options: RunOptions = {}) {
  const files = patterns.flatMap((pattern) => ['--files', join(folder, pattern)])
  const { code, out, err } = await runSyn(['batch', ...files, ...argv], { env: service.env, now: Date.now, ...options })
  const shown = (text: string): string => text.replaceAll(`${folder}/`, '')
  const sent = service.asked.splice(0).filter((asked) => asked.json)
  return { code, out: shown(out), err: shown(err), sent: sent.map(promptOf).toSorted() }
}

const paths = ({ out }: Pick<Outcome, 'out'>): string[] => out.match(/(?<=^\{"path":")[^"]*/gm) ?? []
const eachPath = ['-t', '{{.}}', '--keep', 'path', '--format', 'jsonl']
const output = (folder: string): string[] => ['-t', '{{.}}', '-o', join(folder, 'out.jsonl')]

test.each<[patterns: string, rows: string]>([
  ['*.log', 'a.log b.log link.log nowhere.log x(1).log'],
  ['b.* *a.log b.log', 'b.log a.log'],
  ['**/*.log', 'a.log b.log link.log nowhere.log sub/c.log sub/deep/d.log x(1).log'],
  ['sub/{c,deep/d}.log sub/../a.log', 'sub/c.log sub/deep/d.log a.log'],
  ['.h* x(?).log', '.hidden x(1).log'],
  ['[draft]/b?1* [draft]/b[1]*', '[draft]/b[1].txt [draft]/b1.txt'],
])('%s', async (patterns, rows) => {
  const names = ['a.log', 'b.log', 'sub/c.log', 'sub/deep/d.log', '.hidden', 'x(1).log', '[draft]/b[1].txt']
  const folder = folderOf(Object.fromEntries([...names, '[draft]/b1.txt'].map((name) => [name, name])))
  const links = { 'link.log': 'a.log', 'nowhere.log': 'nowhere', linked: 'sub', 'sub/up': '..' }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name))
  expect(paths(await batch(folder, patterns.split(' '), eachPath)).join(' ')).toBe(rows)
})

test('a row has the text and the path, which may be relative; standard input is not read', async () => {
  const folder = relative('.', folderOf({ 'a.txt': '\ufeffone\n' }))
  const argv = ['-t', '{{path}}: {{.}}', '--keep', '*', '--format', 'csv']
  const { code, out, sent } = await batch(folder, ['*', '*.txt'], argv, { stdin: 'no\n' })
  expect({ code, out, sent }).toEqual({
    code: 0,
    // The path of the folder may need quotes.
    out: expect.stringMatching(/^path,answer\n("?)a\.txt\1,"a\.txt: one\n"\n$/) as string,
    sent: [`${join(folder, 'a.txt')}: one\n`],
  })
})

test('what is no text is skipped and counted; a file that is unreadable, too large or not UTF-8 fails', async () => {
  const latin1 = Buffer.from('\xe9', 'latin1')
  const folder = folderOf({ a: 'one', nul: 'a\0', latin1, none: '', blank: ' \n', large: '' })
  symlinkSync('nowhere', join(folder, 'lost'))
  truncateSync(join(folder, 'large'), 64 * 1024 * 1024 + 1)
  // What -f may read in all is no limit.
  const { code, err, sent } = await batch(folder, ['*'], output(folder), { inputBefore: 64 * 1024 * 1024 })
  expect({ code, sent }).toEqual({ code: 1, sent: ['one'] })
  expect(err).toContain(' · 1 binary file and 2 empty files skipped · ')
  const failed = readFileSync(join(folder, 'out.errors.jsonl'), 'utf8').replaceAll(`${folder}/`, '')
  expect(failed.match(/(?<="(custom_id|message)":")[^"]*/g)).toEqual([
    'large',
    '--files large: exceeds the limit of 64 MiB of input per request',
    'latin1',
    '--files latin1: not UTF-8 text, but probably Latin-1',
    'lost',
    '--files: cannot read lost: no such file',
  ])
})

test('the same command asks about new and changed files only, and never about its own', async () => {
  const folder = folderOf({ a: 'one', b: 'two', gone: 'three' })
  const run = (): ReturnType<typeof batch> => batch(folder, ['*'], output(folder))
  expect((await run()).sent).toEqual(['one', 'three', 'two'])
  expect(await run()).toMatchObject({ code: 0, sent: [] })
  for (const name of ['b', 'c']) writeFileSync(join(folder, name), `new ${name}`)
  rmSync(join(folder, 'gone'))
  expect(await run()).toMatchObject({ code: 0, sent: ['new b', 'new c'] })
  expect(readFileSync(join(folder, 'out.jsonl'), 'utf8').match(/(?<="custom_id":")[^"]*/g)?.length).toBe(3)
})

test('a file that changes while others are sent is sent as it is then, or fails alone', async () => {
  const folder = folderOf(Object.fromEntries([...'abcdefghijkl'].map((name) => [name, name === 'j' ? '' : name])))
  onRequest = () => {
    for (const [name, text] of Object.entries({ i: 'later', j: 'later', k: '' }))
      writeFileSync(join(folder, name), text)
    rmSync(join(folder, 'l'), { force: true })
  }
  const { code, sent } = await batch(folder, ['*'], [...output(folder), '--jobs', '1'])
  expect({ code, sent }).toEqual({ code: 1, sent: [...'abcdefgh', 'later'] })
  const failed = readFileSync(join(folder, 'out.errors.jsonl'), 'utf8')
  expect(failed).toMatch(/^.*k is empty".*\n.*cannot read .*l: no such file".*\n$/)
})

test('the path alone decides which rows a sample and a shard have', async () => {
  const names = Array.from({ length: 9 }, (_, at) => `${at}.txt`)
  const folder = folderOf(Object.fromEntries(names.map((name) => [name, name])))
  const chosen = (): Promise<string[][]> =>
    Promise.all(
      ['--sample=3', '--shard=1/2', '--shard=2/2'].map(async (flag) =>
        paths(await batch(folder, ['*'], [...eachPath, flag])),
      ),
    )
  const [sample = [], ...shards] = await chosen()
  for (const name of names) writeFileSync(join(folder, name), 'other')
  expect(await chosen()).toEqual([sample, ...shards])
  expect([sample.length, shards.flat().toSorted()]).toEqual([3, readdirSync(folder).toSorted()])
})

const constant = 'the template has no {{column}}: all prompts would be the same; nothing was sent'
test.each<[patterns: string[], argv: string[], error: string]>([
  [['a', 'no*'], eachPath, '--files: no file matches no*'],
  [['sub'], eachPath, '--files: no file matches sub\nhint: it is a folder: add /* to take its files'],
  [['a'], ['-t', '{{text}}'], '--files: no column "text" (available: "path", ".")'],
  [['*'], ['-t', 'Summarize'], `${constant}\nhint: use a column, such as {{.}}; --yes sends it for each row`],
  [['a'], [], "--files needs a template, such as -t 'Summarize: {{.}}'"],
  [['a'], [...eachPath, '--lines'], '--files and --lines cannot be combined'],
  [['a'], ['sub', ...eachPath], "INPUT and --files cannot be combined\nhint: quote the pattern: --files 'logs/*.log'"],
])('%j %j is refused', async (patterns, argv, error) => {
  const outcome = await batch(folderOf({ a: 'one', b: 'two', 'sub/c': 'three' }), patterns, argv)
  expect(outcome).toEqual({ code: 2, out: '', err: `syn: ${error}\n`, sent: [] })
})

test('a pattern that a shell expanded is refused', async () => {
  const folder = folderOf({ a: '1', b: '2', c: '3' })
  const { err, sent } = await batch(folder, ['a'], [join(folder, 'b'), join(folder, 'c'), ...eachPath])
  expect(err).toMatch(/^syn: --files takes one file, but b after a is a file too\nhint: .* or quote the pattern\n$/)
  expect(sent).toEqual([])
})

test('a file that has become a device is not read', async () => {
  const folder = folderOf({ a: 'one', b: 'two' })
  onRequest = () => {
    rmSync(join(folder, 'b'))
    symlinkSync('/dev/zero', join(folder, 'b'))
    onRequest = () => undefined
  }
  await batch(folder, ['a', '?'], [...output(folder), '--jobs', '1'])
  expect(readFileSync(join(folder, 'out.errors.jsonl'), 'utf8')).toContain('/b: not a regular file')
})
