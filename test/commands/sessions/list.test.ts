import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conversationsFolder, homeWithConversations, sessions } from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const first = '20261121-090000-aaaaaa'
const second = '20261121-080000-bbbbbb'

function twoConversations(): string {
  return homeWithConversations(
    {
      id: first,
      name: 'numbers',
      turns: [
        ['Count\tto\n3', '1 2 3'],
        ['On', '4'],
      ],
    },
    { id: second, turns: [['Write a poem about 東京 and the sea, in as many words as it takes', 'No']] },
  )
}

const title = 'Write a poem about 東京 and the sea, in as many words as it…'

test.each([[['list']], [[]]])(
  'in a pipe syn sessions %j prints tab-separated values, the latest first',
  async (argv) => {
    expect(await sessions(twoConversations(), argv)).toEqual({
      code: 0,
      out:
        `${first}\t2026-11-21T10:15:00.000Z\t2\tnumbers\tCount to 3\n` +
        `${second}\t2026-11-21T10:14:00.000Z\t1\t\t${title}\n`,
      err: '',
    })
  },
)

test('--json prints everything', async () => {
  const home = twoConversations()
  const { out } = await sessions(home, ['--json'])
  expect(JSON.parse(out)).toEqual([
    {
      id: first,
      name: 'numbers',
      title: 'Count to 3',
      created: '2026-11-21T10:00:00.000Z',
      updated: '2026-11-21T10:15:00.000Z',
      turns: 2,
      model: 'hf:one',
      profile: null,
      path: join(conversationsFolder(home), `${first}.jsonl`),
    },
    expect.objectContaining({ id: second, name: null, turns: 1 }),
  ])
})

test('without conversations', async () => {
  const home = emptyFolder()
  expect(await sessions(home, [])).toEqual({ code: 0, out: '', err: 'syn: no saved conversations\n' })
  expect(await sessions(home, ['--json'])).toEqual({ code: 0, out: '[]\n', err: '' })
  expect(readdirSync(home)).toEqual([])
})

test('other files are skipped, damaged ones are reported', async () => {
  const home = twoConversations()
  const folder = conversationsFolder(home)
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  writeFileSync(join(folder, 'empty.jsonl'), '')
  writeFileSync(join(folder, 'noise.jsonl'), '\u0000\u0001')
  const { code, out, err } = await sessions(home, [])
  expect({ code, ids: out.split('\n').map((line) => line.split('\t')[0]) }).toEqual({
    code: 0,
    ids: [first, second, ''],
  })
  expect(err).toBe(`syn: ${join(folder, 'noise.jsonl')}: skipped line 1: damaged\n`)
  expect(existsSync(join(folder, 'notes.txt'))).toBe(true)
})

test.each([
  [
    ['lisst'],
    'unknown subcommand "lisst" (did you mean list?)\nhint: available: list, show, search, export, rm, rename',
  ],
  [['export', 'x', '--format', 'pdf'], '--format: "pdf" is not accepted; expected md, html, json or jsonl'],
])('%j is refused', async (argv, message) => {
  const { code, out, err } = await sessions(twoConversations(), argv)
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(`syn: ${message}`) })
})
