/** Invalid flags: exit 2 with one line, and nothing is sent. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../helpers/chat.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
mkdirSync(join(folder, 'directory'))
writeFileSync(join(folder, 'broken.json'), '[\n  {"type": "function",}\n]\n')
writeFileSync(join(folder, 'tools.json'), '[]')

type Row = [words: string[], refusal: string]

/** The message of JSON.parse differs between Node versions. */
const engineWords = /(not valid JSON at line \d+, column \d+): [^(]*(?<! )/

/** Runs each row with the prompt `hi`; `FOLDER` is replaced by the directory with the documents. */
function refused(rows: Row[]): void {
  test.each(rows)('%j', async (words, refusal) => {
    const message = await refusalOf([...words.map((word) => word.replace('FOLDER', folder)), 'hi'])
    expect(message.replaceAll(folder, 'FOLDER').replace(engineWords, '$1')).toBe(refusal)
  })
}

const fraction = 'a number from 0 to 1'
const penalty = 'a number from -2 to 2'
const temperature = 'a number from 0 to 2'
const wholeFromZero = 'a whole number, at least 0'

describe('numbers out of range', () => {
  refused(
    [
      ['--temperature', '3', temperature],
      ['--top-p', '1.01', fraction],
      ['--presence-penalty', '-2.1', penalty],
      ['--n', '0', 'a whole number, at least 1'],
      ['--max-completion-tokens', '1e400', wholeFromZero],
    ].map(([flag = '', value = '', expected = '']): Row => {
      const found = value.includes('e') ? 'Infinity' : value
      return [[flag, value], `${flag}: ${found} is not accepted; expected ${expected}`]
    }),
  )
})

describe('values of the wrong type', () => {
  refused([
    [['--temperature', 'warm'], '--temperature: "warm" is not accepted; expected a number from 0 to 2'],
    [['--logprobs=yes'], '--logprobs: "yes" is not accepted; expected true, false or a number'],
    [['--logit-bias', '[1]'], '--logit-bias: [1] is not accepted; expected an object'],
    [['--tools', '[{"type":"function"}]'], '--tools: $[0].function is missing; it is required'],
    [
      ['--tool-choice', 'atuo'],
      '--tool-choice: "atuo" is not accepted; expected auto, none, tool:NAME, a JSON object or a file (did you mean auto?)',
    ],
    [
      ['--response-format', '{"type":"json"}'],
      '--response-format: $.type: "json" is not accepted; expected text, json_object or json_schema',
    ],
    [['--param', 'novalue'], '--param: "novalue" is not accepted; expected key=value (for a prompt, leave out -p)'],
  ])
})

describe('invalid JSON, and missing files', () => {
  refused([
    [['--tools', '[{"type":}]'], '--tools: not valid JSON at line 1, column 10'],
    [['--logit-bias', ''], '--logit-bias: "" is neither JSON nor a file'],
    [['--tools', '@FOLDER/broken.json'], '--tools FOLDER/broken.json: not valid JSON at line 2, column 23'],
    [['--tools', '@FOLDER/missing.json'], '--tools: cannot read FOLDER/missing.json: no such file'],
    [['--body', 'FOLDER/tools.json'], '--body FOLDER/tools.json: [] is not accepted; expected an object'],
    [
      ['--schema', '{"type":"strin"}'],
      '--schema: not a JSON schema: $.type must be equal to one of the allowed values: ["array","boolean","integer","null","number","object","st…',
    ],
    [['-o', 'FOLDER/missing/answer.txt'], '--output: cannot write FOLDER/missing/answer.txt: no such directory'],
    [['-o', 'FOLDER/tools.json/answer.txt'], '--output: cannot write FOLDER/tools.json/answer.txt: no such directory'],
    [['-o', 'FOLDER/directory'], '--output: FOLDER/directory is a directory'],
  ])
})

describe('models', () => {
  const expected =
    'expected a name that starts with hf:, or an alias: syn:large:text, syn:small:text, syn:large:vision, syn:small:vision'
  refused([
    [['-m', 'large:text'], `--model: "large:text" is not accepted; ${expected} (did you mean syn:large:text?)`],
    [
      ['-m', 'zai-org/GLM-4.7'],
      `--model: "zai-org/GLM-4.7" is not accepted; ${expected} (did you mean hf:zai-org/GLM-4.7?)`,
    ],
  ])

  test('also from SYN_MODEL, which the error names', async () => {
    expect(await refusalOf(['hi'], { env: { SYN_MODEL: 'gpt-4' } })).toMatch(/^SYN_MODEL: "gpt-4" is not accepted; /)
  })
})

describe('the command line itself', () => {
  refused([
    [['--temprature', '1'], 'unknown option --temprature (did you mean --temperature?)'],
    [['--no-temperature'], 'unknown option --no-temperature (did you mean --temperature?)'],
    [['--json=yes'], '--json: "yes" is not accepted; expected true or false'],
    [['-f', ''], '--file: the path is empty'],
    [['-p', 'messages=1'], '--param messages: 1 is not accepted; expected an array'],
    [['-o', ''], '--output: the path is empty'],
    [['-i', 'ftp://x/a.png'], '--image: ftp://x/a.png is not a path, an http(s) URL or a data URL'],
    [['-i', 'http://'], '--image: http:// is not a valid URL'],
    [['--xyzzy'], 'unknown option --xyzzy (use syn chat --help to list the options)'],
    [['--version'], 'option --version is not valid here (did you mean syn --version?)'],
    [
      ['--api-key', 'x'],
      'unknown option --api-key (the API key is never read from the command line; use syn login (--base-url URL for the address), or set SYN_API_KEY)',
    ],
    [['-1 + 2?'], 'unknown option "-1 + 2?" (put -- before text that starts with a dash)'],
    [['--no-stdin', '-'], '- and --no-stdin cannot be combined'],
    [['--json', '--jsonl'], '--jsonl and --json cannot be combined'],
    [
      ['--json-object', '-p', 'response_format={}'],
      '--json-object and response_format in --body or --param cannot be combined',
    ],
  ])

  test('without the value of an option', async () => {
    expect(await refusalOf(['hi', '-o'])).toBe('--output: missing value')
  })
})
