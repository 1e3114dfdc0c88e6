/** What is kept of embeddings and what is sent again, by `syn similar`. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { question, reply, type Search, startSearch, vectorOf, wellBehaved } from '../../helpers/similar.ts'

const animals = { 'a.md': 'A cat sleeps.\n\nA dog barks.\n', 'b.md': 'A ship sails.\n\nA cat and a dog.\n' }
const texts = ['A cat sleeps.', 'A dog barks.', 'A ship sails.', 'A cat and a dog.']
const firstTime = 'syn: embedding 4 of 4 parts (first time only)\n'

/** A folder that was searched once. */
async function searched(): Promise<Search & { clean: string }> {
  const search = await startSearch(animals)
  const { out: clean } = await search.search()
  return Object.assign(search, { clean })
}

test('each text is sent once: then the question alone', async () => {
  await using search = await startSearch(animals)
  const first = await search.search()
  expect(first).toMatchObject({ code: 0, err: firstTime, sent: [[question], texts] })
  expect(await search.search()).toEqual({ code: 0, out: first.out, err: '', sent: [[question]] })
})

test('a paragraph that changed is sent; one that moved, and one that is in two files, are not', async () => {
  await using search = await searched()
  search.write({ 'a.md': 'New.\n\nA dog barks.\n\nA ship sails.\n\nA cat purrs.\n' })
  expect((await search.search()).sent).toEqual([[question], ['New.', 'A cat purrs.']])
  search.write({ 'c.md': 'Twice.\n', 'd.md': 'Twice.\n' })
  expect((await search.search()).sent).toEqual([[question], ['Twice.']])
})

test('another service, another model and --dimensions have other embeddings', async () => {
  await using search = await searched()
  const env = { SYN_BASE_URL: `${search.baseUrl}/other` }
  expect((await search.search([], { env })).sent).toEqual([[question], texts])
  expect((await search.search(['-m', 'hf:org/other'])).sent).toEqual([[question], texts])
  expect((await search.search(['--dimensions', '4'])).sent).toEqual([[question], texts])
  expect((await search.search()).sent).toEqual([[question]])
})

test('neither texts nor paths are stored, and only the user can read the cache', async () => {
  await using search = await searched()
  for (const name of ['keys', 'vectors'] as const) {
    const path = search.cacheFile(name)
    expect(readFileSync(path, 'latin1')).not.toMatch(/cat|dog|\.md/)
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
  }
  expect(statSync(search.cacheFile('keys')).size).toBe(16 * 4)
  expect(statSync(search.cacheFile('vectors')).size).toBe(4 * 4 * 4)
})

test.each<[what: string, argv: string[], before: string[]]>([
  ['--no-cache', ['--no-cache'], []],
  ['the setting save', [], ['config', 'set', 'save', 'false']],
])('%s stores nothing, and embeds everything', async (_what, argv, before) => {
  await using search = await startSearch(animals)
  if (before.length > 0) await search.run(before)
  for (let run = 1; run <= 2; run++) {
    const { code, err, sent } = await search.search(argv)
    expect({ code, err, sent }).toEqual({ code: 0, err: 'syn: embedding 4 of 4 parts\n', sent: [[question], texts] })
  }
  expect(existsSync(join(search.home, '.cache/syn/embeddings'))).toBe(false)
})

test('--forget removes all of it', async () => {
  await using search = await searched()
  const folder = join(search.home, '.cache/syn/embeddings')
  const forget = (): ReturnType<Search['run']> => search.run(['similar', '--forget'])
  expect(await forget()).toEqual({ code: 0, out: '', err: `syn: removed ${folder}\n`, sent: [] })
  expect(await forget()).toEqual({ code: 0, out: '', err: 'syn: there is no cache\n', sent: [] })
  expect(existsSync(join(search.home, '.cache/syn/embeddings'))).toBe(false)
  expect((await search.search()).sent).toEqual([[question], texts])
  expect(await search.run(['similar', '--forget', question])).toMatchObject({ code: 2 })
})

/** Changes a byte. */
const flip = (path: string, at: number): void => {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

/** What happens to the files between two runs, and which texts are sent again. */
const damages: [what: string, damage: (file: Search['cacheFile']) => void, again: number[]][] = [
  ['a vector without its key', (file) => truncateSync(file('keys'), 16 * 3), [3]],
  ['a key without its vector', (file) => truncateSync(file('vectors'), 16 * 3), [3]],
  ['half a vector', (file) => truncateSync(file('vectors'), 16 * 2 + 5), [2, 3]],
  ['no keys', (file) => truncateSync(file('keys')), [0, 1, 2, 3]],
  ['a wrong bit in a vector', (file) => flip(file('vectors'), 16 * 2 + 3), [2]],
  [
    'other dimensions',
    (file) => renameSync(dirname(file('keys')), dirname(file('keys')).replace(/4$/, '3')),
    [0, 1, 2, 3],
  ],
  ['two keys in each other’s place', (file) => swap(file('keys'), 0), [0, 1]],
  ['keys longer than vectors', (file) => writeFileSync(file('keys'), Buffer.alloc(16 * 50), { flag: 'a' }), []],
]

/** Swaps two records of 16 bytes that follow each other. */
function swap(path: string, start: number): void {
  const bytes = readFileSync(path)
  const first = Buffer.from(bytes.subarray(start, start + 16))
  bytes.copyWithin(start, start + 16, start + 32)
  first.copy(bytes, start + 16)
  writeFileSync(path, bytes)
}

test.each(damages)('%s costs embeddings, and changes no result', async (_what, damage, again) => {
  await using search = await searched()
  damage((name) => search.cacheFile(name))
  const expected = again.map((at) => texts[at])
  const { code, out, sent } = await search.search()
  expect({ code, out, sent }).toEqual({
    code: 0,
    out: search.clean,
    sent: [[question], ...(expected.length > 0 ? [expected] : [])],
  })
  expect(await search.search()).toEqual({ code: 0, out: search.clean, err: '', sent: [[question]] })
})

test('a model that has other dimensions than before is asked again, and as before not', async () => {
  await using search = await searched()
  const longer: Search['answer'] = (sent) => reply(sent.map((text) => [...vectorOf(text), 1, 2]))
  for (const [answer, sent] of [
    [longer, [[question], texts]],
    [longer, [[question]]],
    [wellBehaved, [[question]]],
  ] as const) {
    search.answer = answer
    expect((await search.search()).sent).toEqual(sent)
  }
})

test('a reply with other dimensions than the question is an error, and costs nothing of the cache', async () => {
  await using search = await searched()
  search.write({ 'c.md': 'New.' })
  search.answer = (sent) => reply(sent.map((text) => (text === 'New.' ? [1, 2] : vectorOf(text))))
  const { code, out, err } = await search.search()
  expect({ code, out }).toEqual({ code: 6, out: '' })
  expect(err).toContain('syn: the service sent embeddings of different lengths: 4 and 2 dimensions\n')
  search.answer = wellBehaved
  expect((await search.search()).sent).toEqual([[question], ['New.']])
})

test('a file in place of the folder costs a notice', async () => {
  await using search = await startSearch(animals)
  mkdirSync(join(search.home, '.cache/syn'), { recursive: true })
  writeFileSync(join(search.home, '.cache/syn/embeddings'), '')
  const { code, out, err } = await search.search()
  expect({ code, rows: out.split('\n').length - 1 }).toEqual({ code: 0, rows: 4 })
  expect(err).toMatch(/^syn: embedding 4 of 4 parts .*\nsyn: embeddings were not stored: .* is not a directory\n$/)
})

test('the folder that was used longest ago goes when all have 2 GB', async () => {
  await using search = await searched()
  const folders = ['old', 'older'].map((name) => join(dirname(dirname(search.cacheFile('keys'))), name))
  for (const [at, folder] of folders.entries()) {
    mkdirSync(folder)
    for (const name of ['keys', 'vectors']) writeFileSync(join(folder, name), '')
    // The file takes no space on the disk.
    truncateSync(join(folder, 'vectors'), 1.1e9)
    utimesSync(join(folder, 'keys'), 2 - at, 2 - at)
  }
  expect((await search.search()).err).toBe('syn: the cache of embeddings has 2.0 GB; syn similar --forget removes it\n')
  search.write({ 'c.md': 'A new one.' })
  expect((await search.search()).err).toContain('syn: the cache of embeddings has 1.0 GB;')
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, false])
})

test('a folder that has 2 GB itself costs no other one', async () => {
  await using search = await searched()
  const before = search.cacheFile('keys')
  const dimensions = 2 ** 16
  const padding = Array.from({ length: dimensions - 4 }, () => 0)
  search.answer = (sent) => reply(sent.map((text) => [...vectorOf(text), ...padding]))
  await search.search()
  const count = 2 ** 31 / (4 * dimensions)
  truncateSync(search.cacheFile('keys'), 16 * count)
  truncateSync(search.cacheFile('vectors'), 4 * dimensions * count)
  search.write({ 'c.md': 'New.' })
  const { code, err } = await search.search()
  expect({ code, isThere: existsSync(before) }).toEqual({ code: 0, isThere: true })
  expect(err).toContain('syn: embeddings were not stored: the cache has 2 GB, which is the most\n')
})

test.each<[what: string, vector: (number | null)[]]>([
  ['zero', [0, 0, 0, 0]],
  ['too large for 32 bits', [1e39, 0, 0, 0]],
])('a vector that is %s is never the nearest', async (_what, vector) => {
  await using search = await startSearch(animals)
  search.answer = (sent) => reply(sent.map((text) => (text.includes('ship') ? vector : vectorOf(text))))
  const { code, out } = await search.search()
  expect(code).toBe(0)
  expect(out.split('\n')[3]).toMatch(/^0\.0000\t.*A ship sails\.$/)
  expect((await search.search()).out).toBe(out)
})

test.each(['keys', 'vectors'] as const)('a link in place of %s is not followed', async (name) => {
  await using search = await searched()
  const [path, target] = [search.cacheFile(name), `${search.cacheFile(name)}-target`]
  rmSync(path)
  writeFileSync(target, 'precious')
  symlinkSync(target, path)
  const { code, out, err } = await search.search()
  expect({ code, out }).toEqual({ code: 0, out: search.clean })
  expect(err).toContain('embeddings were not stored: ')
  expect(readFileSync(target, 'utf8')).toBe('precious')
})

test('embeddings of zeros, to which 32 bits round others, are not stored, and the next run asks again', async () => {
  await using search = await startSearch(animals)
  search.answer = (asked) => reply(asked.map((text) => (text === 'A dog barks.' ? [0, 0, 0, 1e-320] : vectorOf(text))))
  expect((await search.search()).err).toContain('1 embedding of zeros only, not stored\n')
  search.answer = wellBehaved
  expect((await search.search()).sent).toEqual([[question], ['A dog barks.']])
})
