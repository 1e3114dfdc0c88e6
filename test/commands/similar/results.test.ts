/** What `syn similar` prints, and what it refuses. */

import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { json } from '../../helpers/service.ts'
import { question, startSearch, wellBehaved } from '../../helpers/similar.ts'

const files = {
  'a.md': '# Pets\n\nA cat\tsleeps.\nIt is a cat.\n\nA dog barks.\n',
  'b.txt': '\n\nA ship sails.\n\nA cat and a dog.\n',
}

test('the nearest first: similarity, place and text, in a pipe', async () => {
  await using search = await startSearch(files)
  const { code, out } = await search.search(['-q'])
  expect({ code, out }).toEqual({
    code: 0,
    out:
      `1.0000\t${search.folder}/a.md:1\t# Pets  A cat sleeps. It is a cat.\n` +
      `0.7071\t${search.folder}/b.txt:5\tA cat and a dog.\n` +
      `0.0000\t${search.folder}/a.md:6\tA dog barks.\n` +
      `0.0000\t${search.folder}/b.txt:3\tA ship sails.\n`,
  })
})

test('--json prints the whole texts, and is an array without results, too', async () => {
  await using search = await startSearch(files)
  const { out } = await search.search(['--json', '-n', '1'])
  expect(JSON.parse(out)).toEqual([
    { similarity: 1, path: join(search.folder, 'a.md'), line: 1, text: '# Pets\n\nA cat\tsleeps.\nIt is a cat.' },
  ])
  expect(await search.search(['--json', '--min', '1', 'nothing'])).toMatchObject({ code: 2 })
  expect(await search.run(['similar', '--json', '--min', '0.9', 'fish', search.folder])).toMatchObject({
    code: 1,
    out: '[]\n',
  })
})

test('on a terminal a row fits, and controls nothing', async () => {
  const escapes =
    'A cat \u001b[2J\u001b]0;title\u0007 that is long enough to be cut off at the end of the row, which it is.'
  await using search = await startSearch({ 'c.md': `${escapes}\n\nA dog.` })
  const argv = ['similar', '-q', question, join(search.folder, 'c.md')]
  const { out } = await search.run(argv, {
    isTerminal: true,
    columns: search.folder.length + 60,
    env: { NO_COLOR: '1' },
  })
  expect(out.split('\n').map((line) => line.replace(search.folder, '…'))).toEqual([
    expect.stringMatching(/^1\.00 {2}…\/c\.md:1 {2}A cat ␛\[2J␛\]0;title␇ that is .*…$/),
    '0.00  …/c.md:3  A dog.',
    '',
  ])
})

test('--min and --limit', async () => {
  await using search = await startSearch(files)
  const places = async (...argv: string[]): Promise<number> =>
    (await search.search(['-q', ...argv])).out.split('\n').length - 1
  expect(await places('--min', '0.7071')).toBe(2)
  expect(await places('--min', '-1')).toBe(4)
  expect(await places('--limit', '3')).toBe(3)
  expect(await search.search(['-q', '--min', '1'])).toMatchObject({ code: 0 })
  expect(await search.run(['similar', '-q', '--min', '0.5', 'fish', search.folder])).toEqual({
    code: 1,
    out: '',
    err: `syn: nothing reaches --min 0.5\nhint: the nearest is ${search.folder}/a.md:1, with 0.012\n`,
    sent: [['fish']],
  })
})

describe('what is searched', () => {
  const table = 'id,text,note\n7,A cat,x\n8,,y\n9,"A ship\nsails",z\n'

  test.each<[argv: string[], stdin: string | undefined, places: string[]]>([
    [['F/r.csv'], undefined, ['F/r.csv:2', 'F/r.csv:4']],
    [['--by', 'line', 'F/r.csv'], undefined, ['F/r.csv:2', 'F/r.csv:1', 'F/r.csv:3', 'F/r.csv:5', 'F/r.csv:4']],
    [['F/t.jsonl'], undefined, ['F/t.jsonl:1']],
    [['--by', 'file', 'F/a.md', 'F/b.txt'], undefined, ['F/a.md:1', 'F/b.txt:3']],
    [[], 'A dog.\n\nA cat.\n', ['-:3', '-:1']],
    [['-', 'F/b.txt'], 'A cat.\n', ['-:1', 'F/b.txt:5', 'F/b.txt:3']],
    [['F/b.txt'], 'not read\n', ['F/b.txt:5', 'F/b.txt:3']],
    [['--input-format', 'csv', '--column', 'text'], table, ['-:2', '-:4']],
    [['--delimiter', ',', '--column', 'text'], table, ['-:2', '-:4']],
  ])('%j', async (argv, stdin, places) => {
    await using search = await startSearch({
      ...files,
      'r.csv': table,
      't.jsonl': '{"message":"A cat"}\n{"message":"A dog"}\n',
    })
    const words = argv.map((word) => word.replace(/^F/, search.folder))
    const { code, out, err } = await search.run(['similar', '-q', question, ...words], {
      ...(stdin !== undefined && { stdin }),
    })
    const found = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[1]?.replace(search.folder, 'F'))
    expect({ code, err, found }).toEqual({ code: 0, err: '', found: places })
  })

  test('files that are not text are skipped, with a notice', async () => {
    await using search = await startSearch({ 'a.md': 'A cat', 'b.bin': '\0', 'c.txt': Buffer.from([0xe9]) })
    const { code, err } = await search.search(['--no-cache'])
    expect({ code, err }).toEqual({
      code: 0,
      err: `syn: skipped, no readable UTF-8 text: ${search.folder}/b.bin, and 1 other file\nsyn: embedding 1 of 1 part\n`,
    })
  })
})

test('a pattern in quotes leaves out keys, as a folder does', async () => {
  await using search = await startSearch({ 'a.md': 'A cat', id_rsa: 'A cat', 'b.pem': 'A cat' })
  symlinkSync('id_rsa', join(search.folder, 'link.md'))
  for (const path of [search.folder, `${search.folder}/*`, `${search.folder}/**`]) {
    for (const argv of [[path], ['-f', path]]) {
      const { out } = await search.run(['similar', '-q', question, ...argv])
      expect(out).toBe(`1.0000\t${search.folder}/a.md:1\tA cat\n`)
    }
  }
  expect((await search.run(['similar', '-q', question, join(search.folder, 'id_rsa')])).out).toContain('id_rsa:1')
})

test('a table that cannot be searched by rows is searched as text, which a notice says', async () => {
  await using search = await startSearch({
    'a.csv': 'id,author,review\n1,Ann,A cat\n',
    'b.jsonl': '{"message":"A cat"}\n',
  })
  const { code, out, err } = await search.search(['--no-cache'])
  expect({ code, rows: out.split('\n').toSorted() }).toMatchObject({
    code: 0,
    rows: ['', expect.stringContaining('a.csv:1\tid,author,review 1,Ann,A cat'), expect.stringContaining('b.jsonl:1')],
  })
  expect(err).toContain(
    `syn: searched as text: ${search.folder}/a.csv: several columns of text ("author", "review"), and 1 other file\n`,
  )
})

test('-o with a name that ends in .json writes JSON', async () => {
  await using search = await startSearch({ 'a.md': 'A cat' })
  const path = join(search.home, 'results.json')
  expect(await search.search(['-q', '-o', path])).toMatchObject({ code: 0, out: '' })
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject([{ similarity: 1, line: 1, text: 'A cat' }])
})

describe('is refused before anything is sent', () => {
  const example = 'for example: syn similar "how do I log in" docs/*.md'

  test.each<[argv: string[], stdin: string | undefined, err: string]>([
    [[], undefined, `no question: give it before the files\nhint: ${example}`],
    [[' ', 'F/a.md'], undefined, `no question: give it before the files\nhint: ${example}`],
    [['F/a.md', 'F/b.txt'], undefined, `F/a.md is a file: the question comes before the files\nhint: ${example}`],
    [['how'], undefined, 'no files: name files or folders after the question, or pipe a text in'],
    [['how', 'do', 'F/a.md'], undefined, 'cannot read do: no such file\nhint: put the question in quotes'],
    [['how do', 'F/none.md'], undefined, 'cannot read F/none.md: no such file'],
    [['how do'], '', 'no text to search in standard input'],
    [['F/', 'how do'], undefined, 'cannot read how do: no such file\nhint: the question comes before the files'],
    [
      ['--column', 'x', 'how', 'F/r.csv'],
      undefined,
      'F/r.csv, line 1: no column named "x" (available: "id", "text")\nhint: use --column to name the column of the text',
    ],
    [['--by', 'line', '--lines', 'how', 'F/a.md'], undefined, '--by and --lines cannot be combined'],
    [
      ['--column', 'text', 'how', 'F/a.md'],
      undefined,
      '--column needs --input-format jsonl, csv or tsv, or a file with that extension',
    ],
    [['--min', '2', 'how', 'F/a.md'], undefined, '--min: 2 is not accepted; expected a number from -1 to 1'],
  ])('%j', async (argv, stdin, err) => {
    await using search = await startSearch({ ...files, 'empty.md': '\n \n', 'r.csv': 'id,text\n1,a\n' })
    const words = argv.map((word) => word.replace(/^F/, search.folder))
    const outcome = await search.run(['similar', ...words], stdin === undefined ? {} : { stdin })
    expect({ ...outcome, err: outcome.err.replaceAll(search.folder, 'F') }).toEqual({
      code: 2,
      out: '',
      err: `syn: ${err}\n`,
      sent: [],
    })
  })
})

test('a text that the service refuses is named, and the others are compared', async () => {
  const lines = Array.from({ length: 101 }, (_, number) => (number === 50 ? 'A cat, too long' : `dog ${number}`))
  await using search = await startSearch({ 'a.txt': lines.join('\n') })
  search.answer = (sent, request) =>
    sent.includes('A cat, too long') ? json({ error: 'too long' }, 400) : wellBehaved(sent, request)
  const { code, out, err } = await search.search(['--lines', '-n', '200'])
  expect({ code, rows: out.split('\n').length - 1 }).toEqual({ code: 0, rows: 100 })
  expect(err).toContain(`syn: left out ${search.folder}/a.txt:51: too long (400 Bad Request)\n`)
  expect((await search.search(['--lines'])).sent).toEqual([[question], ['A cat, too long']])
})

test('many parts that are refused cost no result, also when the others are in the cache', async () => {
  const files = Array.from({ length: 20 }, (_, at): [string, string] => [
    `${at}.md`,
    at % 2 ? 'too long' + at : `cat ${at}`,
  ])
  await using search = await startSearch(Object.fromEntries(files))
  search.answer = (sent, request) =>
    sent.some((text) => text.startsWith('too long')) ? json({ error: 'too long' }, 400) : wellBehaved(sent, request)
  for (let run = 1; run <= 2; run++) {
    const { code, out, err } = await search.search(['-n', '99'])
    expect({ code, rows: out.split('\n').length - 1 }).toEqual({ code: 0, rows: 10 })
    expect(err).toMatch(/^syn: left out .*\/\d+\.md:1, and 9 other parts: too long \(400 Bad Request\)$/m)
  }
})

test('a failure is none of the results, and what arrived is kept', async () => {
  await using search = await startSearch({ 'a.txt': Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n') })
  search.answer = (sent, request) => (request < 3 ? wellBehaved(sent, request) : json({ error: 'down' }, 500))
  const { code, out, err } = await search.search(['--lines', '--retries', '0'])
  expect({ code, out }).toEqual({ code: 6, out: '' })
  expect(err).toContain(
    'syn: down (500 Internal Server Error)\nhint: what arrived is stored: the same command continues\n',
  )
  search.answer = wellBehaved
  expect((await search.search(['--lines'])).sent.flat()).not.toContain('line 63')
})

test('more than 20,000 parts that are not in the cache need --yes off a terminal', async () => {
  await using search = await startSearch({
    'a.txt': Array.from({ length: 20_001 }, (_, at) => `line ${at}`).join('\n'),
  })
  expect(await search.search(['--lines'])).toMatchObject({
    code: 2,
    err: 'syn: 20001 parts to embed, in 313 requests\nhint: name fewer files, or embed them once with syn similar --yes\n',
    sent: [],
  })
  search.answer = () => json({ error: 'bad key' }, 401)
  expect(await search.search(['--lines', '--yes'])).toMatchObject({ code: 3, sent: [[question]] })
})

test('a model gets the prefixes that it was trained with', async () => {
  await using search = await startSearch({ 'a.md': 'A cat' })
  const { out, sent } = await search.search(['-m', 'hf:nomic-ai/nomic-embed-text-v1.5'])
  expect({ sent, text: out.split('\t')[2] }).toEqual({
    sent: [[`search_query: ${question}`], ['search_document: A cat']],
    text: 'A cat\n',
  })
})
