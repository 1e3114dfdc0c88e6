/** Wrong usage and bad input: exit 2 with one clear line, and nothing is sent. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { embed, refusalOf, type EmbedOptions } from '../../helpers/embed.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
mkdirSync(join(folder, 'directory'))
writeFileSync(join(folder, 'empty.txt'), '')
writeFileSync(join(folder, 'rows.csv'), 'id,text,2\n1,one,a\n')

describe('is refused before anything is sent', () => {
  const noText = 'no text: give it as arguments, in files or on standard input'
  const example = '(for example: syn embed "The cat sat on the mat")'
  const ask = '(--column names the one that holds the text)'
  const asJsonl = ['--input-format', 'jsonl']
  const asCsv = ['--input-format', 'csv']

  test.each<[argv: string[], stdin: string | Buffer | undefined, refusal: string]>([
    [[], undefined, `${noText} ${example}`],
    [[], '', `${noText} ${example}`],
    [['--lines'], '', `${noText} ${example}`],
    [['-p', 'input=[]'], '', `${noText} ${example}`],
    [['--no-stdin'], 'piped', `${noText} ${example}`],
    [['--no-stdin', '-'], 'piped', '- and --no-stdin contradict each other'],
    [['--body', '-', '-'], '{}', '--body - and the argument - cannot both read standard input'],
    [['-f', 'FOLDER/missing'], undefined, '--file: cannot read FOLDER/missing: no such file'],
    [['-f', 'FOLDER/directory'], undefined, '--file: cannot read FOLDER/directory: is a directory'],
    [['-f', ''], undefined, '--file: the path is empty'],
    [[], Buffer.from([0xe9]), 'standard input: not UTF-8 text'],
    [[], 'a\0b', 'standard input: not text'],
    [['--lines', ...asCsv], 'a', '--lines and --input-format csv cannot be combined'],
    [['--column', 'a'], 'a', '--column: only jsonl and csv have columns (name the form: --input-format csv)'],
    [
      ['--input-format', 'jsnol'],
      'a',
      '--input-format: "jsnol" is not accepted; expected text, lines, jsonl or csv (did you mean jsonl?)',
    ],
    [asJsonl, '"a"\n{"text":}\n', 'standard input: not valid JSON at line 2, column 9'],
    [asJsonl, '"a"\n5\n', 'standard input, line 2: 5 is not accepted; expected an object or a string'],
    [asJsonl, '\n{"text":5}\n', 'standard input, line 2: $.text: 5 is not accepted; expected a string'],
    [asJsonl, '{"txt":"","id":""}', `standard input, line 1: no key "text"; it has "txt", "id" ${ask}`],
    [asJsonl, '{}', `standard input, line 1: no key "text"; it has none ${ask}`],
    [
      [...asCsv, '-f', 'FOLDER/rows.csv', '--column', 'titel'],
      undefined,
      `--file FOLDER/rows.csv, line 1: no column "titel"; it has "id", "text", "2" ${ask}`,
    ],
    [
      [...asCsv, '--column', '4', '-f', 'FOLDER/rows.csv'],
      undefined,
      `--file FOLDER/rows.csv, line 1: no column "4"; it has "id", "text", "2" ${ask}`,
    ],
    [[...asCsv, '--column', '0'], 'a\nb', `standard input, line 1: no column "0"; it has "a" ${ask}`],
    [asCsv, 'a,b\n1,2', `standard input, line 1: no column "text"; it has "a", "b" ${ask}`],
    [asCsv, 'a,text\n1,2\n3\n', 'standard input, line 3: another number of columns than the header has'],
    [asCsv, 'a,text\n1,"2\n', 'standard input, line 2: a quote is never closed'],
    [asCsv, 'a,text\n1,"2"3\n', 'standard input, line 2: a quote ends before its column does'],
    [asCsv, 'a,text\n1,2"3\n', 'standard input, line 2: a quote in a column that does not begin with one'],
    [asCsv, '\n', 'standard input: is empty; expected a header and rows'],
    [[...asCsv, '-f', 'FOLDER/empty.txt'], undefined, '--file FOLDER/empty.txt: is empty; expected a header and rows'],
    [['--compare', 'hi'], undefined, '--compare takes two texts or more; there is one'],
    [['--compare', '--json', 'hi', 'ho'], undefined, '--compare and --json cannot be combined'],
    [['--format', 'csv', '--json', 'hi'], undefined, '--format and --json cannot be combined'],
    [['--format', 'csv', '--compare', 'hi', 'ho'], undefined, '--format and --compare cannot be combined'],
    [['--format', 'npy', '--with-text', 'hi'], undefined, '--format npy has no room for texts: leave --with-text out'],
    [['--json', '--with-text', 'hi'], undefined, '--with-text and --json cannot be combined'],
    [['--compare', '--with-text', 'hi', 'ho'], undefined, '--with-text and --compare cannot be combined'],
    [['--format', 'xml', 'hi'], undefined, '--format: "xml" is not accepted; expected jsonl, json, csv or npy'],
    [
      ['-o', 'FOLDER/missing/e.jsonl', 'hi'],
      undefined,
      '--output: cannot write FOLDER/missing/e.jsonl: no such directory',
    ],
    [['--dry-run', '--curl', 'hi'], undefined, '--dry-run and --curl cannot be combined'],
    [['--batch-size', '0', 'hi'], undefined, '--batch-size: 0 is not accepted; expected a whole number, at least 1'],
    [['--dimensions', '0', 'hi'], undefined, '--dimensions: 0 is not accepted; expected a whole number, at least 1'],
    [
      ['--dimensions', '1.5', 'hi'],
      undefined,
      '--dimensions: 1.5 is not accepted; expected a whole number, at least 1',
    ],
    [
      ['-m', 'syn:large:text', 'hi'],
      undefined,
      '--model: "syn:large:text" is not accepted; expected a name that starts with hf:',
    ],
    [['-m', 'nomic', 'hi'], undefined, '--model: "nomic" is not accepted; expected a name that starts with hf:'],
  ])('%j with %j', async (argv, stdin, refusal) => {
    const options: EmbedOptions = stdin === undefined ? {} : { stdin }
    const message = await refusalOf(
      argv.map((word) => word.replace('FOLDER', folder)),
      options,
    )
    // What JSON.parse says differs from one version of Node to the next.
    expect(message.replaceAll(folder, 'FOLDER').replace(/(column \d+): [^(]+$/, '$1')).toBe(refusal)
  })

  test('an alias in SYN_EMBED_MODEL', async () => {
    const { code, err } = await embed(['hi'], { env: { SYN_EMBED_MODEL: 'syn:large:text' } })
    expect({ code, err }).toEqual({
      code: 2,
      err: 'syn: SYN_EMBED_MODEL: "syn:large:text" is not accepted; expected a name that starts with hf:\n',
    })
  })
})
