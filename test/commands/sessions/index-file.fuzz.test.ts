/** The index of the conversations saves reading them, and never changes what is printed. */

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  conversationFiles,
  conversationsFolder,
  homeWithConversations,
  runChats,
  sessions,
} from '../../helpers/conversations.ts'
import { streamed, end } from '../../helpers/chat-chunks.ts'
import { expectMode } from '../../helpers/modes.ts'
import { runSyn, type Outcome } from '../../helpers/run-syn.ts'
import { samples } from '../../helpers/samples.ts'

const [first, second, third] = ['20261121-090000-aaaaaa', '20261121-080000-bbbbbb', '20261121-070000-cccccc'] as const

function known(): string {
  return homeWithConversations(
    { id: first, name: 'one', turns: [['Hello 東京', 'b']] },
    { id: second, name: 'two', turns: [['c', 'd']] },
    { id: third, turns: [['e', 'f']] },
  )
}

function indexOf(home: string): string {
  return join(conversationsFolder(home), 'index.json')
}

/** The list without an index. */
async function freshList(home: string): Promise<Outcome> {
  rmSync(indexOf(home), { force: true, recursive: true })
  return sessions(home, ['--json'])
}

/** Replaces a text in a file by one of the same length, and keeps the time. */
function replaceUnnoticed(path: string, text: string, other: string): void {
  const { mtime } = statSync(path)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(text, other))
  utimesSync(path, mtime, mtime)
}

test('what has not changed is not read again, and only its owner can read the index', async () => {
  const home = known()
  await sessions(home, [])
  expectMode(indexOf(home), '600')
  const [, path = ''] = conversationFiles(home)
  replaceUnnoticed(path, '"two"', '"ten"')
  expect((await sessions(home, [])).out).toContain('\ttwo\t')
  expect((await runSyn(['completion', '--words', 'syn sessions show '], { env: { HOME: home } })).out).toContain(
    'two\t\n',
  )
  utimesSync(path, new Date(), new Date())
  expect((await sessions(home, [])).out).toContain('\tten\t')
})

test('what it tells of a name is not believed without the conversation', async () => {
  const home = known()
  await sessions(home, [])
  const [, path = ''] = conversationFiles(home)
  replaceUnnoticed(path, '"d"', '"x"')
  expect((await sessions(home, ['show', 'two'])).out).toContain('\nx\n')
})

describe('in its place', () => {
  const rows = (one: object): string => JSON.stringify({ version: 4, rows: { [first]: one, other: one } })

  test.each<[what: string, make: (path: string, index: string) => void]>([
    ['half of it', (path, index) => writeFileSync(path, index.slice(0, index.length / 2))],
    ['a newer version', (path, index) => writeFileSync(path, index.replace('"version":3', '"version":4'))],
    ['rows of nothing', (path) => writeFileSync(path, rows({}))],
    [
      'times that are none',
      (path, index) => writeFileSync(path, index.replaceAll(/"updated":"[^"]+/g, '"updated":"noon')),
    ],
    ['names that are none', (path, index) => writeFileSync(path, index.replaceAll(/"name":"\w+"/g, '"name":{}'))],
    ['a long one that lacks all', (path) => writeFileSync(path, `${rows({})}${' '.repeat(100_000)}`)],
    ['a directory', (path) => mkdirSync(path)],
  ])('%s: the list is the same', async (what, make) => {
    const home = known()
    const list = await sessions(home, ['--json'])
    const index = readFileSync(indexOf(home), 'utf8')
    rmSync(indexOf(home))
    make(indexOf(home), index)
    expect(await sessions(home, ['--json'])).toEqual(list)
    expect(list.err).toBe('')
    if (what !== 'a directory') expect(readFileSync(indexOf(home), 'utf8')).toBe(index)
  })
})

test('it has nothing of a conversation that was removed', async () => {
  const home = known()
  await sessions(home, [])
  expect(readFileSync(indexOf(home), 'utf8')).toContain('東京')
  await sessions(home, ['rm', '--yes', 'one'])
  expect(readFileSync(indexOf(home), 'utf8')).not.toContain('東京')
  rmSync(join(conversationsFolder(home), `${second}.jsonl`))
  await sessions(home, [])
  expect(readFileSync(indexOf(home), 'utf8')).not.toContain('two')
})

test('problems of a file are reported each time', async () => {
  const home = known()
  appendFileSync(conversationFiles(home)[0] ?? '', 'noise\n')
  for (let run = 0; run < 2; run++) expect((await sessions(home, [])).err).toContain('skipped line 7: damaged')
})

test('after any changes, the list is that without an index', async () => {
  const id = fc.constantFrom(first, second, third)
  const change = fc.tuple(id, fc.constantFrom('turn', 'rename', 'undo', 'cut', 'touch', 'remove', 'part', 'list'))
  const at = new Date(Date.UTC(2026, 10, 22)).toISOString()
  const changeFile = async (home: string, id: string, kind: string): Promise<void> => {
    const path = join(conversationsFolder(home), `${id}.jsonl`)
    if (!existsSync(path)) return
    const append = (...entries: object[]): void => {
      for (const entry of entries) appendFileSync(path, `${JSON.stringify(entry)}\n`)
    }
    if (kind === 'turn') await runChats(home, [streamed('Hi', end())], ['--session', id, 'More'])
    if (kind === 'rename') await sessions(home, ['rename', id, `name of ${id}`])
    if (kind === 'undo') append({ type: 'head', at })
    if (kind === 'cut') writeFileSync(path, readFileSync(path).subarray(0, -20))
    if (kind === 'touch') utimesSync(path, 1, 1)
    if (kind === 'remove') await sessions(home, ['rm', '--yes', id])
    if (kind === 'list') await sessions(home, [])
    if (kind !== 'part') return
    // The model is that of the answer once it has a text.
    append(
      { type: 'turn', at, id: 't9', messages: [] },
      { type: 'answer', at, id: 'a9a9a9a9', parent: 't9', model: id },
    )
    const part = { type: 'part', answer: 'a9a9a9a9', deltas: [{ type: 'text', index: 0, text: 'x' }] }
    await sessions(home, [])
    appendFileSync(path.replace('.jsonl', '.a9a9a9a9.part'), `${JSON.stringify(part)}\n`)
  }
  const property = fc.asyncProperty(fc.array(change, { maxLength: 5 }), async (changes) => {
    const home = known()
    for (const [id, kind] of changes) await changeFile(home, id, kind)
    const list = await sessions(home, ['--json'])
    const again = await sessions(home, ['--json'])
    expect(again).toEqual(list)
    expect(await freshList(home)).toEqual(list)
  })
  await fc.assert(property, samples(4))
})
