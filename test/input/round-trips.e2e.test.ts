/** Tables as spreadsheets save them come back as they came: Python's csv, with the dialect of each, reads the same columns. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { streamed } from '../helpers/chat-chunks.ts'
import { needs } from '../helpers/installed.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService, type Answer } from '../helpers/service.ts'

/** Answers each prompt with two lines and a quote; fails for one of the rows. */
const answers: Answer = (asked, response) => {
  if (asked.method === 'GET') return json({ data: [] })(asked, response)
  const { input, messages } = asked.json as { input?: string | string[]; messages: [{ content: string }] }
  if (input !== undefined) {
    const data = [input].flat().map((_, index) => ({ index, embedding: [0.5, -1] }))
    return json({ data, usage: { prompt_tokens: 1 } })(asked, response)
  }
  if (messages[0].content === 'nein') return json({ error: { message: 'no' } }, 400)(asked, response)
  return streamed('"Ja";\n\tund, | nein')(asked, response)
}

/** Writes the tables, or reads those that were made of them. Prints for each its name, or what differs. */
const script = String.raw`
import csv, io, itertools, os, sys
action, folder = sys.argv[1:]
table = [['id', 'text', 'Preis €'], ['1', 'Gut; gerne wieder', '1,50'], ['2', 'Zeile 1\nZeile 2', '2,00'], ['3', 'nein', ''],
        ['4', '5" Rohr | "neu"', '\t'], ['5', ' é😀, ', '=A1'], ['6', 'a\r\nb', '0']]
dialects = itertools.product([',', ';', '\t', '|'], [False, True], ['\r\n', '\n', '\r'], [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
for at, (delimiter, mark, end, quoting) in enumerate(dialects):
    # Python leaves a line feed without quotes if lines end in CR.
    rows = [[cell.replace('\n', '\r') if end == '\r' else cell for cell in row] for row in table]
    name, encoding = 't%d.csv' % at, 'utf-8-sig' if mark else 'utf-8'
    how = {'delimiter': delimiter, 'quoting': quoting}
    if action == 'write':
        with open(os.path.join(folder, name), 'w', newline='', encoding=encoding) as file:
            csv.writer(file, lineterminator=end, **how).writerows(rows)
        print(name)
        continue
    for made, columns in [('b', slice(0, 3)), ('e', slice(1, 4))]:
        with open(os.path.join(folder, made + name), 'rb') as file: text = file.read().decode('utf-8')
        assert text.startswith('\ufeff') == mark, (made + name, 'mark')
        found = list(csv.reader(io.StringIO(text.lstrip('\ufeff'), newline=''), **how))
        kept = [row[columns] for row in found]
        assert kept == rows, (made + name, kept)
        assert text.endswith(end) and (end == '\r\n' or not text.endswith('\r\n')), (made + name, 'end')
        if made == 'b': assert [row[3] for row in found] == ['answer'] + ['' if row[1] == 'nein' else '"Ja";\n\tund, | nein' for row in rows[1:]]
    print(name)
`

test('48 tables: delimiter, mark, line end and quotes, through batch and embed', async ({ skip }) => {
  const folder = emptyFolder()
  const python = (action: string): string => {
    const { status, stdout, stderr } = spawnSync('python3', ['-c', script, action, folder], { encoding: 'utf8' })
    needs('Python', status !== null)({ skip })
    expect(stderr).toBe('')
    return stdout
  }
  const written = python('write')
  await using service = await startService(answers)
  for (const name of written.trim().split('\n')) {
    const at = (made: string): string => join(folder, `${made}${name}`)
    const batch = ['batch', at(''), '-t', '{{text}}', '--keep', '*', '-o', at('b')]
    expect(await runSyn(batch, { env: service.env })).toMatchObject({ code: 1 })
    const embed = ['embed', '-f', at(''), '--column', 'text', '--keep', 'id,text,Preis €', '-o', at('e')]
    expect(await runSyn(embed, { env: service.env })).toMatchObject({ code: 0 })
  }
  expect(python('read')).toBe(written)
})
