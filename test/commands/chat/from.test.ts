/** `syn chat --from`: which parts of files go with a prompt, and which places of an answer are told. */

import fc from 'fast-check'
import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { unknownPlaces } from '../../../src/input/sources.ts'
import { splitParts } from '../../../src/input/parts.ts'
import { end, streamed } from '../../helpers/chat-chunks.ts'
import { model, textsOf } from '../../helpers/embed.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { type Asked, json, startService } from '../../helpers/service.ts'
import { type Search, startSearch, vectorOf, reply } from '../../helpers/similar.ts'

/** Paragraphs about ships, each of 250 words, of which the estimate makes more tokens than are sent. */
const ships = Array.from({ length: 60 }, (_, at) => `Ship ${at} ${'sails far away '.repeat(83)}.`)
const cats = '# Pets\n\n## Cats\n\nA cat sleeps.\n\nThe cat\n  purrs.\n\n```sh\n# no title\n```\n\nA cat and a dog.\n'
const files = { 'docs/pets.md': cats, 'docs/ships.txt': ships.join('\n\n') }

interface FromSearch extends AsyncDisposable {
  readonly search: Search
  readonly chats: { messages: { role: string; content: string }[] }[]
  readonly embedded: string[]
  ask(argv: string[], answer?: string): ReturnType<typeof runSyn>
}

/** A folder, and a service that embeds and answers. */
async function startFrom(written: Readonly<Record<string, string>> = files): Promise<FromSearch> {
  const search = await startSearch(written)
  const [chats, embedded]: [FromSearch['chats'], string[]] = [[], []]
  let text = ''
  const service = await startService((asked: Asked, response) => {
    if (!asked.path.endsWith('/embeddings')) {
      chats.push(asked.json as FromSearch['chats'][number])
      return streamed(text, end())(asked, response)
    }
    const texts = textsOf(asked)
    embedded.push(...texts)
    if (texts.some((one) => one.startsWith('Refused')))
      return json({ error: { message: 'refused' } }, 400)(asked, response)
    return reply(texts.map(vectorOf))(asked, response)
  })
  const env = { HOME: search.home, ...service.env, SYN_EMBED_MODEL: model }
  const previous = process.cwd()
  process.chdir(search.folder)
  return {
    search,
    chats,
    embedded,
    ask: (argv, answer = 'Yes.') => {
      text = answer
      return runSyn(['chat', ...argv], { env })
    },
    [Symbol.asyncDispose]: async () => {
      process.chdir(previous)
      await service.close()
      await search[Symbol.asyncDispose]()
    },
  }
}

const lastContent = ({ chats }: FromSearch): string => chats.at(-1)?.messages.at(-1)?.content ?? ''

test('the nearest parts, in the order of the files, joined, with places and headings', async () => {
  await using from = await startFrom()
  const { code, err } = await from.ask(['--from', 'docs', 'Where is the cat?'])
  expect(code).toBe(0)
  const content = lastContent(from)
  expect(content).toMatch(/name its place in brackets: \[docs\/pets\.md:1\]\n\n/)
  expect(content).toContain(`docs/pets.md:1-14:\n\`\`\`\`md\n# Pets\n\n## Cats\n\nA cat sleeps.\n\nThe cat\n  purrs.`)
  expect(content.endsWith('\n\nWhere is the cat?')).toBe(true)
  expect(content.indexOf('pets.md')).toBeLessThan(content.indexOf('ships.txt'))
  expect(err).toMatch(/syn: \d+ parts? of 2 files, [67]\.\dk tokens, nearest [01]\.\d\d\n$/)
  // The second question embeds only itself, also after another file changed.
  from.embedded.length = 0
  appendFileSync('docs/ships.txt', '\n\nA dog on a ship.\n')
  await from.ask(['--from', 'docs/*', 'And the dog?'])
  expect(from.embedded).toEqual(['And the dog?', 'A dog on a ship.'])
  expect(lastContent(from)).toContain('A dog on a ship.')
})

test('a heading above, not in code, and blanks in front', async () => {
  await using from = await startFrom({ 'a.md': `${cats}\n${ships.join('\n\n')}\n\n  indented dog\n` })
  await from.ask(['--from', 'a.md', 'dog'])
  expect(lastContent(from)).toMatch(/a\.md:\d+-\d+ \(Cats\):\n/)
  expect(lastContent(from)).toContain('\n  indented dog\n')
})

test('files that fit are sent whole, without embeddings', async () => {
  await using from = await startFrom({ 'a.md': '  first\n\n---\n\nlast \u001b[31m\n', 'b.md': '', 'c.bin': '\0' })
  const { code, err } = await from.ask(['--from', '.', '--from', 'a.md', 'hi'])
  expect({ code, embedded: from.embedded }).toEqual({ code: 0, embedded: [] })
  expect(lastContent(from)).toContain('a.md:1-5:\n```md\n  first\n\n---\n\nlast \u001b[31m\n```\n\nhi')
  expect(err).toMatch(/skipped, .*c\.bin\nsyn: sending 1 whole file, \d+ tokens\n$/)
})

test('the parts of the answered message go again, the older ones do not', async () => {
  await using from = await startFrom()
  const sent = (): string[] => from.chats.at(-1)?.messages.map(({ content }) => content) ?? []
  await from.ask(['--save', '--from', 'docs', 'cat'])
  await from.ask(['-c', 'and then'])
  expect(sent()).toEqual([expect.stringContaining('A cat sleeps.'), 'Yes.', 'and then'])
  await from.ask(['-c', 'why'])
  expect(sent()).toEqual(['cat', 'Yes.', 'and then', 'Yes.', 'why'])
  await from.ask(['-c', '--from', 'docs', 'dog'])
  expect(sent()).toEqual([
    'cat',
    'Yes.',
    'and then',
    'Yes.',
    'why',
    'Yes.',
    expect.stringContaining('A cat and a dog.'),
  ])
  const { out } = await runSyn(['sessions', 'show', 'last', '--all'], { env: { HOME: from.search.home } })
  expect(out).toContain('A cat sleeps.')
})

test('parts that were sent are sent again, up to half of all, where the next question is about others', async () => {
  const dogs = ships.map((ship) => ship.replaceAll('Ship', 'Dog dog dog'))
  await using from = await startFrom({ 'a.txt': [...ships, ...dogs].join('\n\n') })
  await from.ask(['--save', '--from', 'a.txt', 'ship'])
  await from.ask(['-c', '--from', 'a.txt', 'dog dog dog'])
  expect(from.embedded.at(-1)).toBe('ship\n\ndog dog dog')
  const count = (word: RegExp): number => lastContent(from).match(word)?.length ?? 0
  expect(count(/^Ship/gm)).toBeGreaterThan(10)
  expect(count(/^Dog/gm)).toBeGreaterThan(10)
})

test('what stands around a short part that is near goes with it', async () => {
  const far = ships.map((ship) => ship.replaceAll('Ship', 'Sea'))
  await using from = await startFrom({ 'a.txt': [...ships, 'Before it.', 'dog', 'Behind it.', ...far].join('\n\n') })
  await from.ask(['--from', '.', 'dog'])
  expect(lastContent(from)).toMatch(/\ba\.txt:\d+-\d+:\n[^]*Before it\.\n\ndog\n\nBehind it\./)
})

describe('places in the answer', () => {
  const answer = 'It sleeps [a.md:1], purrs [a.md:2-3], [a.md:9], [b/c.txt:1-2] and `[d.md:1]`.'
  const notice = 'syn: not among the parts that were sent: [a.md:9], and 1 other place\n'
  test.each<[options: string[], wanted: boolean]>([
    [[], true],
    [['--json-object'], false],
    [['-x'], false],
    [['--schema', '{}'], false],
  ])('%j', async (options, wanted) => {
    await using from = await startFrom({ 'a.md': 'cat\n\ncat\n' })
    const { err } = await from.ask([...options, '--from', 'a.md', 'hi'], answer)
    expect(err.endsWith(notice)).toBe(wanted)
    expect(lastContent(from).startsWith('After each sentence')).toBe(wanted)
  })
})

test('what is no place', () => {
  const prose =
    'x[1:3], [::1:80], [127.0.0.1:80], [see a.md:3], [a:1], [a.md], [12:30]\n```\n[a.md:1]\n```\n~~~\n[a.md:2]'
  expect(unknownPlaces(prose, [])).toEqual([])
  expect(unknownPlaces('[a.md:1](a.md) [src/x:2-3] [a.md:1]', [])).toEqual(['[a.md:1]', '[src/x:2-3]'])
  expect(unknownPlaces('[http://localhost:8080](http://localhost:8080)', [])).toEqual([])
  expect(unknownPlaces('['.repeat(1_000_000), [])).toEqual([])
})

test('of a row that is longer than all that is sent, its beginning is', async () => {
  await using from = await startFrom({ 'a.jsonl': `${JSON.stringify({ text: `dog ${'cat '.repeat(20_000)}` })}\n` })
  const { err } = await from.ask(['--from', 'a.jsonl', 'dog'])
  expect(err).toMatch(/syn: 1 part of 1 file, (7\.9|8\.0)k tokens, nearest 0\.\d\d\n$/)
  expect(lastContent(from)).toMatch(/a\.jsonl:1-1:\n```jsonl\ndog (cat )+c?a?t?\n```\n\ndog$/)
})

test('the service refuses every part: nothing is asked', async () => {
  await using from = await startFrom({ 'a.txt': ships.join('\n\n').replaceAll('Ship', 'Refused') })
  const outcome = await from.ask(['--from', 'a.txt', 'dog'])
  expect(outcome).toMatchObject({
    code: 1,
    err: expect.stringMatching(/left out a\.txt:1, .*\n.*refused every part/) as string,
  })
  expect(from.chats).toEqual([])
})

test.each<[title: string, argv: string[], code: number, err: RegExp]>([
  ['no such file', ['--from', 'none.md', 'hi'], 2, /cannot read none\.md: no such file/],
  ['no text', ['--from', '.', 'hi'], 2, /no text to search in \./],
])('%s: nothing is sent', async (_title, argv, code, err) => {
  await using from = await startFrom({ 'empty.md': ' \n' })
  expect(await from.ask(argv, '')).toMatchObject({
    code,
    err: expect.stringMatching(err) as string,
  })
  expect([from.chats, from.embedded]).toEqual([[], []])
})

test('parts with their blanks, at their lines, are the file again', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a b', ' c', '\td ', '', ' ')), (lines) => {
      for (const { line, text, indent = '' } of splitParts(lines.join('\n'), 'paragraph')) {
        const rows = (indent + text).split('\n')
        const own = lines.slice(line - 1, line - 1 + rows.length)
        expect([...own.slice(0, -1), own.at(-1)?.trimEnd()]).toEqual(rows)
      }
    }),
  )
})
