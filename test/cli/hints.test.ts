/** What people type from other tools gets our name for it, and nothing is read or sent. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

/** Words separated by spaces; a word with spaces is in double quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

// oxlint-disable-next-line require-yield -- reading it fails
async function* unread(): AsyncGenerator<Uint8Array> {
  throw new Error('standard input must not be read')
}

/** The error and its hint. */
async function refusalOf(argv: string[]): Promise<string[]> {
  await using service = await startService(json({}))
  const { code, out, err } = await runSyn(argv, { env: service.env, stdin: unread() })
  expect({ code, out, requests: service.asked.length }, err).toEqual({ code: 2, out: '', requests: 0 })
  expect(err).toMatch(/^syn: .+\n(hint: .+\n)?$/)
  return err.trimEnd().split('\n')
}

const advice = 'syn --help lists the commands; to ask a model, use syn chat "QUESTION"'
const prompt = 'the prompt without an option'

describe('our name for what is typed from other tools', () => {
  // Words that llm, aichat, ollama, gh, curl, claude and gemini understand.
  test.each([
    ['history', 'sessions'],
    ['auth --profile work logout', 'logout'],
    ['ask hi', 'chat'],
    ['completions zsh', 'completion'],
    ['version', '--version'],
    ['help whoami', 'config list'],
    ['caht --json hi', 'chat'],
  ])('command: syn %s', async (line, meant) => {
    const [message, hint] = await refusalOf(wordsOf(line))
    expect([message, hint]).toEqual([
      expect.stringMatching(/^syn: unknown command "\w+" \(did you mean .*\?\)$/),
      `hint: ${advice}`,
    ])
    expect(message).toContain(`(did you mean ${meant}?)`)
  })

  test.each([
    ['models search ember', 'models list'],
    ['sessions delete french', 'rm'],
    ['sessions resume french', 'chat --session'],
    ['config use work', 'config set profile'],
  ])('subcommand: syn %s', async (line, meant) => {
    expect((await refusalOf(wordsOf(line)))[0]).toMatch(new RegExp(`^syn: unknown subcommand "\\w+" \\(.* ${meant}\\?`))
  })

  test.each([
    ['chat --system-prompt "Be brief" hi', '--system'],
    ['batch rows.csv --output-format csv', '--format'],
    ['chat -a photo.JPG hi', '--image or --file'],
    ['chat -n 3 hi', '--n for the number of answers, or --max-tokens'],
    ['chat --max_tokens 5 hi', '--max-tokens'],
    ['chat --prompt hi', prompt],
    ['--prompt "-1 + 2?"', prompt],
  ])('option: syn %s', async (line, meant) => {
    const argv = wordsOf(line)
    const [flag = ''] = argv.find((word) => word.startsWith('-'))?.split('=') ?? []
    expect(await refusalOf(argv)).toEqual([`syn: unknown option ${flag} (did you mean ${meant}?)`])
  })
})

test.each([
  ['chat --format json hi', 'unknown option --format (did you mean --json?)', undefined],
  ['-m X -s y hi', 'option -m is not valid here', 'put it after the command, as in syn chat -m'],
  ['--version quota', 'option --version is not valid here', undefined],
  ['--json quota', 'option --json is not valid here', 'put it after the command, as in syn quota --json'],
  ['-p "what is up"', `option -p is not valid here (did you mean ${prompt}?)`, undefined],
  ['hello', 'unknown command "hello"', advice],
  ['"sessions list"', 'unknown command "sessions list"', `write a command without quotes; ${advice.split('; ')[1]}`],
  ['chat -o json hi', '--output: json is the name of an option', 'use --json; for a file of that name, use -o ./json'],
  [
    'chat -o temperature 0.2 hi',
    '--output: temperature is the name of an option',
    'use --temperature; for a file of that name, use -o ./temperature',
  ],
  ['chat -t 0.5 hi', '--template: 0.5 is a number', 'use --temperature 0.5'],
  ['chat -p "what is up"', '--param: "what is up" is not accepted; expected key=value', 'for a prompt, leave out -p'],
  ['--nope hi', 'unknown option --nope', 'use syn --help to list the options'],
  ['"-1 + 2?"', 'unknown option "-1 + 2?"', 'put -- before text that starts with a dash'],
  [
    '--help config gte',
    'unknown subcommand "gte" (did you mean get?)',
    'available: list, profiles, get, set, unset, path',
  ],
  [
    'chat -u=true hi',
    '"=true" after a short option is not accepted',
    'write a value after the long one, as in --stream=false',
  ],
])('syn %s: %s', async (line, message, hint) => {
  expect(await refusalOf(wordsOf(line))).toEqual([`syn: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])])
})

describe('an API key on the command line is not repeated', () => {
  const key = 'sk-0123456789abcdef'
  test.each([
    [['--key', key, 'hi']],
    [['chat', `--key=${key}`, 'hi']],
    [['chat', `-k${key}`, 'hi']],
    [['caht', '--token', key, 'hi']],
    [['ask', 'hi', '-k', key]],
  ])('%j', async (argv) => {
    const lines = await refusalOf(argv)
    expect(lines.join('\n')).not.toContain(key)
    expect(lines.at(-1)).toMatch(/^hint: the API key is never read from the command line; use syn login/)
  })
})

describe('a stored key, and a word that looks like a key, are not repeated', () => {
  const stored = 'stored-key-of-mine'
  const random = 'Zq3x8Vb2Lm9Rt5Yw7Kp1Nd4'
  test.each(
    [stored, random].flatMap((key) =>
      [
        ['auth', 'login', key],
        ['login', '--profile', 'work', key],
        ['keys', 'set', key],
        ['config', 'set', 'api-key', key],
        ['set', 'api-key', key],
        [`SYN_API_KEY=${key}`, 'chat', 'hi'],
        ['ask', '--bearer', key, 'hi'],
        ['chat', '--password', key, 'hi'],
        ['chat', `--openai-api-key=${key}`, 'hi'],
        ['--header', `Authorization: Bearer ${key}`, 'hi'],
        [key],
        ['chatt', `is ${key} my key?`],
        ['help', key],
        ['sessions', key],
        ['completion', key],
        [`-${key}`],
        ['chat', '-u', `-${key}`],
        ['embed', `--user=${key}`, '--echo', 'hi'],
      ].map((argv): [string[], string] => [argv, key]),
    ),
  )('%j', async (argv, key) => {
    const home = emptyFolder()
    mkdirSync(join(home, '.config', 'syn'), { recursive: true })
    const document = { profiles: { default: { 'api-key': stored, 'base-url': 'https://api.example.com' } } }
    writeFileSync(join(home, '.config', 'syn', 'config.json'), JSON.stringify(document), { mode: 0o600 })
    const { code, out, err } = await runSyn(argv, { env: { HOME: home } })
    expect({ code, out }, err).toEqual({ code: 2, out: '' })
    expect(err).not.toContain(key)
  })

  test.each([['auth login abc'], ['config add api-key abc'], ['ask --bearer abc'], ['chat --access-token abc hi']])(
    'syn %s gets the hint at syn login',
    async (line) => {
      expect((await refusalOf(wordsOf(line))).at(-1)).toMatch(/^hint: the API key is never read from the command line/)
    },
  )
})

test.each([
  ['quota --watch 10', 'quota --watch', 'while sleep'],
  ['quota --strict --wait', 'quota --strict', '--remaining'],
  ['quota --get=a.b', 'quota --get', 'jq'],
  ['batch in.csv --prune -o out', 'batch --prune', 'leave it out'],
  ['config edit', 'config edit', 'config path'],
  ['embed --compare a b', 'embed --compare', 'syn similar'],
  ['models show hf:a/b', 'models show', 'jq'],
  ['models --vision --ids', 'models --vision', 'grep image'],
  ['prompts edit review', 'prompts edit', 'NAME.md'],
  ['completion install zsh', 'completion install', 'syn man completion'],
  ['search --open 1 x', 'search --open', '--urls --limit 1'],
  ['batch merge', 'batch merge', 'cat part'],
  ['batch merge part.1.jsonl part.2.jsonl', 'batch merge', 'cat part'],
])('what was removed has a name for what is in its place: syn %s', async (line, removed, instead) => {
  const [message, hint] = await refusalOf(wordsOf(line))
  expect(message).toBe(`syn: syn ${removed} was removed`)
  expect(hint).toContain(instead)
})

test('an error is one line, without control characters', async () => {
  expect((await refusalOf(['a\u001b[2Jb', '-q']))[0]).toBe('syn: unknown command "a\\u001b[2Jb"')
})
