import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchWords } from '../../../src/conversation/search.ts'
import { homeWithConversations, sessions } from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { samples } from '../../helpers/samples.ts'

const first = '20261121-090000-aaaaaa'
const second = '20261121-080000-bbbbbb'
const long = `${'before '.repeat(20)}the Needle. ${'after '.repeat(40)}`

const home = homeWithConversations(
  {
    id: first,
    name: 'İstanbul trip',
    turns: [
      ['Where is\n  the harbour?', 'By the sea.'],
      ['C++?', 'a.b'],
    ],
  },
  { id: second, turns: [[long, 'Nothing of the sea']] },
)

describe('finds, off a terminal,', () => {
  test.each<[text: string, lines: string[]]>([
    ['harbour where', [`${first}\tuser\tWhere is the harbour?`]],
    ['harbour c++', [`${first}\tuser\tWhere is the harbour?`, `${first}\tuser\tC++?`]],
    ['trip', [`${first}\tname\tİstanbul trip`]],
    ['needle', [`${second}\tuser\t…before before before the Needle. ${'after '.repeat(19).trim()}…`]],
  ])('%j', async (text, lines) => {
    const { code, out, err } = await sessions(home, ['search', ...text.split(' ')])
    expect({ code, err, lines: out.split('\n').filter(Boolean) }).toEqual({ code: 0, err: '', lines })
  })
})

test('a conversation that lacks one of the words is not found', async () => {
  expect(await sessions(home, ['search', 'harbour needle'])).toEqual({
    code: 1,
    out: '',
    err: 'syn: no conversation contains all words of "harbour needle"\n',
  })
})

test('--json prints the list rows with their hits', async () => {
  const { out } = await sessions(home, ['search', '--json', 'harbour'])
  const hits = [{ role: 'user', text: 'Where is the harbour?' }]
  expect(JSON.parse(out)).toEqual([expect.objectContaining({ id: first, turns: 2, hits })])
})

test.each<[flags: string[], out: string, err: string]>([
  [[], '', 'syn: no conversation contains "["\n'],
  [['--json'], '[]\n', 'syn: no conversation contains "["\n'],
  [['-q'], '', ''],
])('without a match %j exits with 1, as grep does', async (flags, out, err) => {
  for (const one of [home, emptyFolder()]) {
    expect(await sessions(one, ['search', ...flags, '['])).toEqual({ code: 1, out, err })
  }
})

test.each(['.', '*', '\\', '-'])('%s is found literally', async (sign) => {
  const home = homeWithConversations(
    { id: first, turns: [[`a${sign}b`, 'x']] },
    { id: second, turns: [[`ab aab a+b`, 'x']] },
  )
  const argv = ['search', '--', `${sign}b`]
  expect(await sessions(home, argv)).toEqual({ code: 0, out: `${first}\tuser\ta${sign}b\n`, err: '' })
})

test('composed and decomposed letters match', async () => {
  const home = homeWithConversations({ id: first, turns: [['a cafe\u0301', 'x']] })
  expect((await sessions(home, ['search', 'caf\u00e9'])).out).toBe(`${first}\tuser\ta caf\u00e9\n`)
})

test('the pattern of any text matches it', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => one.trim() !== '')
  fc.assert(
    fc.property(text, (one) => searchWords(one).each.every((word) => word.test(`… ${one} …`.normalize('NFC')))),
    samples(),
  )
})

test('on a terminal matches are highlighted, grouped by conversation', async () => {
  const { out } = await sessions(home, ['search', 'SEA', '--color'], { isTerminal: true, columns: 60 })
  expect(out).toBe(
    `\u001b[2m${first}  2026-11-21 10:15  İstanbul trip\u001b[22m\n` +
      '  assistant  By the \u001b[1msea\u001b[22m.\n\n' +
      `\u001b[2m${second}  2026-11-21 10:14  before before bef…\u001b[22m\n` +
      '  assistant  Nothing of the \u001b[1msea\u001b[22m\n',
  )
})

test('an empty text is refused', async () => {
  expect(await sessions(home, ['search', ' '])).toEqual({ code: 2, out: '', err: 'syn: WORD is empty\n' })
})
