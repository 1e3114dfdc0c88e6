/** Usage errors and invalid input: exit 2 with one line, and nothing is sent. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shellWord } from '../../../src/io/text/shell-word.ts'
import { embed, refusalOf, type EmbedOptions } from '../../helpers/embed.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
writeFileSync(join(folder, 'empty.csv'), '')
writeFileSync(join(folder, 'two words.txt'), '')
writeFileSync(join(folder, 'rows.csv'), 'id,text,2\n1,one,a\n')

describe('is refused before anything is sent', () => {
  const noText = 'no text: give it as arguments, in files or on standard input'
  const example = '(for example: syn embed "The cat sat on the mat")'
  const ask = '(use --column to name the column of the text)'
  const askKey = '(use --column to name the key of the text)'
  const extensions = '.jsonl, .csv or .tsv'
  const asJsonl = ['--input-format', 'jsonl']
  const asCsv = ['--input-format', 'csv']

  test.each<[argv: string[], stdin: string | Buffer | undefined, refusal: string]>([
    [[], undefined, `${noText} ${example}`],
    [['-f', 'FOLDER/missing'], undefined, '--file: cannot read FOLDER/missing: no such file'],
    [
      [],
      Buffer.from([0xe9]),
      'standard input: not UTF-8 text, but probably Latin-1 (convert it with iconv -f latin1 -t utf-8)',
    ],
    [[], 'a\0b', 'standard input: not text: it contains a null byte'],
    [
      ['--input-format', 'jsnol'],
      'a',
      '--input-format: "jsnol" is not accepted; expected text, lines, jsonl, csv or tsv (did you mean jsonl?)',
    ],
    [asJsonl, '"a"\n{"text":}\n', 'standard input: not valid JSON at line 2, column 9'],
    [asJsonl, '"a"\n5\n', 'standard input, line 2: 5 is not accepted; expected an object or a string'],
    [asJsonl, '\n{"text":5}\n', 'standard input, line 2: $.text: 5 is not accepted; expected a string'],
    [asJsonl, '{"txt":"","id":""}', `standard input, line 1: no key named "text" (available: "txt", "id") ${askKey}`],
    [
      [...asCsv, '-f', 'FOLDER/rows.csv', '--column', 'titel'],
      undefined,
      `--file FOLDER/rows.csv, line 1: no column named "titel" (available: "id", "text", "2") ${ask}`,
    ],
    [[...asCsv, '--column', '0'], 'a\nb', `standard input, line 1: no column named "0" (available: "a") ${ask}`],
    [
      asCsv,
      'id;title|n\n1;Dune|2\n',
      `standard input, line 1: no column named "text" (available: "id;title|n") ${ask.slice(0, -1)}; use --delimiter ';' if that separates the columns)`,
    ],
    [asCsv, 'a,b\n1,2', `standard input: no column of text (available: "a", "b") ${ask}`],
    [['-f', 'FOLDER/empty.csv'], undefined, '--file FOLDER/empty.csv: empty; expected a header and rows'],
    [asCsv, 'a,text\r\n1,"2\r\n2"\r\n3\r\n', 'standard input, line 4: the number of columns differs from the header'],
    [asCsv, 'a,text\n1,2"3\n', 'standard input, line 2: quote inside an unquoted column'],
    [
      ['-o', 'e.jsnol', '--with-text', 'hi'],
      undefined,
      `--output: ".jsnol" is not accepted; expected ${extensions} (did you mean .jsonl?) (for any other name, choose the format with --format)`,
    ],
    [['--batch-size', '0', 'hi'], undefined, '--batch-size: 0 is not accepted; expected a whole number, at least 1'],
  ])('%j with %j', async (argv, stdin, refusal) => {
    const options: EmbedOptions = stdin === undefined ? {} : { stdin }
    const message = await refusalOf(
      argv.map((word) => word.replace('FOLDER', folder)),
      options,
    )
    // The message of JSON.parse differs between versions of Node.
    expect(message.replaceAll(folder, 'FOLDER').replace(/(column \d+): [^(]+$/, '$1')).toBe(refusal)
  })

  test('the name of a file', async () => {
    const path = join(folder, 'two words.txt')
    expect(await refusalOf(['a text', '--dry-run', path])).toBe(
      `${path} is a file, not text to embed (use -f ${shellWord(path)} to embed its content, or pipe it in)`,
    )
  })

  test('an alias in SYN_EMBED_MODEL', async () => {
    const { code, err } = await embed(['hi'], { env: { SYN_EMBED_MODEL: 'syn:large:text' } })
    expect({ code, err }).toEqual({
      code: 2,
      err: 'syn: SYN_EMBED_MODEL: "syn:large:text" is not accepted; expected a name that starts with hf:\n',
    })
  })
})
