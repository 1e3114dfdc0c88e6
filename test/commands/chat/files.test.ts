/** Text files in the prompt: each under its name, in a fence that its content cannot close. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InputBudget } from '../../../src/io/process/input-budget.ts'
import type { Io } from '../../../src/io/io.ts'
import { StandardInput } from '../../../src/io/process/standard-input.ts'
import { shellWord } from '../../../src/io/text/shell-word.ts'
import { readConversation } from '../../../src/input/prompt.ts'
import { fencedBlocks } from '../../../src/terminal/markdown/block-reader.ts'
import { promptSentBy, refusalOf } from '../../helpers/chat.ts'
import { acceptedImages } from '../../helpers/images.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { samples } from '../../helpers/samples.ts'

const folder = emptyFolder()
const files: Record<string, string | Buffer> = {
  'a.py': 'print("a")\n',
  'b.txt': 'no line end',
  'notes.md': 'See:\n````sh\nls\n````\nand `code`\n',
  'empty.txt': '',
  'photo.jpg': acceptedImages['photo.jpg'] ?? '',
  'zeros.txt': 'a\0b',
  'lines.ts': 'one\r\ntwo\r\n\r\nfour',
  'odd.ts:3': 'odd\n',
  'odd.ts': 'one\n',
}
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)

function path(name: string): string {
  return join(folder, name)
}

test.each([
  ['a.py', '```py\nprint("a")\n```'],
  ['notes.md', '`````md\nSee:\n````sh\nls\n````\nand `code`\n`````'],
  ['lines.ts:2-3', '```ts\ntwo\r\n\r\n```'],
  ['lines.ts:4', '```ts\nfour\n```'],
  ['odd.ts:3', '```\nodd\n```'],
])('%s is added under its name', async (name, fenced) => {
  expect(await promptSentBy(['-f', path(name)])).toBe(`${path(name)}:\n${fenced}`)
})

test.each([
  ['lines.ts:2:7', 'lines.ts:2'],
  ['lines.ts#L2', 'lines.ts:2'],
  ['lines.ts#L1C4-L2C9', 'lines.ts:1-2'],
  ['lines.ts#2-4', 'lines.ts:2-4'],
])('%s is added as %s', async (name, heading) => {
  expect(await promptSentBy(['-f', path(name)])).toMatch(`${path(heading)}:\n\`\`\`ts\n`)
})

test('several in order, after the words, before standard input', async () => {
  expect(await promptSentBy(['-f', path('a.py'), '--file', path('b.txt'), 'Compare'], { stdin: 'briefly\n' })).toBe(
    `Compare\n\n${path('a.py')}:\n\`\`\`py\nprint("a")\n\`\`\`\n\n${path('b.txt')}:\n\`\`\`txt\nno line end\n\`\`\`\n\nbriefly`,
  )
})

test('- is standard input, which is read only once', async () => {
  expect(await promptSentBy(['-f', '-', 'Explain'], { stdin: 'text' })).toBe(
    'Explain\n\nstandard input:\n```\ntext\n```',
  )
})

test('any content is unchanged inside its fence', async () => {
  // Only backticks at line starts can close a fence.
  const line = fc.oneof(fc.string(), fc.stringMatching(/^ {0,4}[`~]{1,8}[a-z]{0,2}$/))
  await fc.assert(
    fc.asyncProperty(fc.array(line), async (lines) => {
      const text = lines.join('\n').replaceAll(/[\0\r]/g, '')
      fc.pre(text.trim() !== '')
      const bytes = Buffer.from(text.replaceAll(/[\ufeff]/g, ''))
      const io = {
        in: new StandardInput('pipe', () => Readable.from([bytes])),
        inputBudget: new InputBudget(),
        signal: new AbortController().signal,
      } as Io
      const notices = { info: () => Promise.resolve(), warn: () => Promise.resolve() }
      const sources = { words: [], options: { file: ['-'] }, example: '', notices }
      const [content] = await readConversation(undefined, sources, ({ text: content }) => ({ content }), io)
      expect(await fencedBlocks((content as { content: string }).content)).toEqual([
        `${bytes.toString()}\n`.replace(/\n\n$/, '\n'),
      ])
    }),
    samples(),
  )
})

describe('is refused', () => {
  test.each([
    ['photo.jpg', '--file FOLDER/photo.jpg: not UTF-8 text, but a JPEG image (use --image for images)'],
    ['lines.ts:2-5', '--file FOLDER/lines.ts:2-5: no such lines; the last one is 4'],
    ['lines.ts:0', '--file FOLDER/lines.ts:0: no such lines'],
    ['lines.ts:3-2', '--file FOLDER/lines.ts:3-2: no such lines'],
    ['lines.ts:99999999999', '--file FOLDER/lines.ts:99999999999: no such lines; the last one is 4'],
    ['nope.ts:1', '--file: cannot read FOLDER/nope.ts:1: no such file'],
    ['zeros.txt', '--file FOLDER/zeros.txt: not text: it contains a null byte (use --image for images)'],
  ])('%s', async (name, refusal) => {
    expect((await refusalOf(['-f', path(name), 'hi'])).replaceAll(folder, 'FOLDER')).toBe(refusal)
  })

  // The first bytes of what other programs wrote: LaTeX (all ASCII), LibreOffice, pandoc, gzip, zstd, zip, DuckDB.
  test.each([
    ['%PDF-1.5\n1 0 obj\n<</Type/Catalog>>\nendobj\n', 'a PDF document', 'pdftotext -layout FILE -'],
    ['PK\x03\x04\x14\0\b\b\b\0\0\0!\0\x18\0\0\0xl/worksheets/sheet1.xml', 'an Excel workbook', 'xlsx2csv FILE'],
    ['PK\x03\x04\x14\0\x02\0\b\0\x11\0\0\0word/document.xml', 'a text document', 'pandoc -t plain FILE'],
    ['PK\x03\x04\n\0\0\0\0\0\x05\0\0\0a.txtplain text', 'a zip archive', 'unzip -p FILE'],
    [
      'PK\x03\x04\x14\0\0\b\0\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK',
      'a spreadsheet',
      'libreoffice --convert-to csv FILE',
    ],
    ['PK\x03\x04\n\0\0\0\0\0\x05\0\0\0password/aplain text', 'a zip archive', 'unzip -p FILE'],
    [
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1W\0o\0r\0k\0b\0o\0o\0k\0',
      'an old Excel workbook',
      'libreoffice --convert-to csv FILE',
    ],
    [gzipSync('a').toString('latin1'), 'gzip data', 'zcat FILE'],
    ['\x28\xb5\x2f\xfd\x04\x58\x11\0\0hi\n', 'zstd data', 'zstdcat FILE'],
    ['PAR1\x15\x04\x15\x10', 'a Parquet file', `duckdb -csv -c "from 'FILE'"`],
  ])('what begins %j, as %s', async (start, kind, command) => {
    const name = path('in.txt')
    writeFileSync(name, start, 'latin1')
    const expected = `in.txt: not UTF-8 text, but ${kind} (convert it with ${command})`
    expect(await refusalOf(['-f', name, 'hi'])).toBe(`--file ${folder}/${expected}`)
    // By lines, too.
    const { code, err } = await runSyn(['batch', name, '-t', '{{.}}', '--dry-run'])
    expect({ code, err: err.replace(/\nhint: (.*)\n/, ' ($1)') }).toEqual({
      code: 2,
      err: `syn: ${folder}/${expected}`,
    })
  })

  test('but no text that begins as one of them in words', async () => {
    for (const start of [
      'PAR1,PAR2',
      'BM is short',
      'PK',
      '8BPS',
      '%PDF',
      '<svg/>',
      `${'<!-- a -->'.repeat(5000)}<p>`,
    ]) {
      writeFileSync(path('in.txt'), start)
      expect(await runSyn(['chat', '--dry-run', '-f', path('in.txt')])).toMatchObject({ code: 0 })
    }
  })
})

test.each([
  [['summarize', path('a.py')], true],
  [['summarize', path('a.py:1')], true],
  [['summarize', path('a.py'), '-f', path('a.py')], false],
])('a word that names a file that is not sent is noticed: %j %j', async (words, isNoticed) => {
  const { code, err } = await runSyn(['chat', '--dry-run', ...words])
  expect(code).toBe(0)
  const [, name = ''] = words
  const notice = `syn: ${name} is a file, of which only the name is sent; use -f ${shellWord(name)} to send its content\n`
  expect(err.includes(notice)).toBe(isNoticed)
})
