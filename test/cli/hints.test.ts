/** What people type from other tools gets the command line to type, and nothing is read or sent. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'
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

describe('the hint is the command line to type', () => {
  test.each([
    // options before a command, or without one
    ['-m X chat hi', 'syn chat -m X hi'],
    ['--json quota', 'syn quota --json'],
    ['-n 3 search cats', 'syn search --limit 3 cats'],
    ['--verbose hi', 'syn chat --debug hi'],
    ['-t 0.5 -m X hi', 'syn chat --temperature 0.5 -m X hi'],
    ['-f notes.txt Summarize', 'syn chat -f notes.txt Summarize'],
    ['"-1 + 2?"', "syn chat -- '-1 + 2?'"],
    ['--color never chat hi', 'syn --color=never chat hi'],
    ['"sessions list"', 'syn sessions list'],
    ['-q "config set model" X', 'syn -q config set model X'],
    ['--reasoning high hi', 'syn chat --reasoning-effort high hi'],
    ['config model X', 'syn config set model X'],
    ['config model', 'syn config get model'],
    ['run ember "why is it"', "syn chat -m ember 'why is it'"],
    ['run "why is it"', "syn chat 'why is it'"],
    ['-p "what is up"', "syn chat 'what is up'"],
    ['-p hello', 'syn chat hello'],
    ['-i "what is up"', "syn chat 'what is up'"],
    ['models search ember', 'syn models --filter ember'],
    ['sessions resume french', 'syn chat --session french'],
    ['batch rows.csv "Mood of {{text}}"', "syn batch rows.csv -t 'Mood of {{text}}'"],
    ['batch rows.csv -j 2', 'syn batch rows.csv --jobs 2'],
    ['completion --shell zsh', 'syn completion zsh'],
    ['batch rows.csv --output-format csv', 'syn batch rows.csv --format csv'],
    ['login api.example.com', 'syn login --base-url URL'],
    ['config model --profile work', 'syn config get model'],
    // commands
    ['version', 'syn --version'],
    ['ask "why is it so"', "syn chat 'why is it so'"],
    ['prompt hi', 'syn chat hi'],
    ['auth login', 'syn login'],
    ['auth login --profile work', 'syn login --profile work'],
    ['auth --profile work logout', 'syn logout --profile work'],
    ['auth status', 'syn config list'],
    ['auth', 'syn login'],
    ['whoami', 'syn config list'],
    ['login status', 'syn config list'],
    ['usage --json', 'syn quota --json'],
    ['embeddings hi', 'syn embed hi'],
    ['embedding hi', 'syn embed hi'],
    ['tokens hi', 'syn count-tokens hi'],
    ['count hi', 'syn count-tokens hi'],
    ['prompts list', 'syn prompts'],
    ['prompts new review', 'syn prompts edit review'],
    ['prompts delete review', 'syn prompts rm review'],
    ['history', 'syn sessions'],
    ['history ls', 'syn sessions list'],
    ['logs', 'syn sessions'],
    ['model', 'syn models'],
    ['ls', 'syn models'],
    ['models ls', 'syn models list'],
    ['sessions ls --json', 'syn sessions list --json'],
    ['sessions delete french', 'syn sessions rm french'],
    ['completions bash', 'syn completion bash'],
    ['profile list', 'syn config profiles'],
    ['config use work', 'syn config set profile work'],
    ['models info syn:small:text', 'syn models show syn:small:text'],
    ['keys set', 'syn login'],
    ['web cats', 'syn search cats'],
    ['sessions view french --help', 'syn sessions show french --help'],
    ['config view', 'syn config list'],
    ['config show', 'syn config list'],
    ['help whoami', 'syn help config list'],
    ['completion Once upon a time', 'syn complete Once upon a time'],
    ['completion "Once upon a time"', "syn complete 'Once upon a time'"],
    ['completion -m X "Once upon"', "syn complete -m X 'Once upon'"],
    // options
    ['chat --verbose hi', 'syn chat --debug hi'],
    ['chat --temp 0.5 hi', 'syn chat --temperature 0.5 hi'],
    ['chat --resume plan hi', 'syn chat --session plan hi'],
    ['models --search large', 'syn models --filter large'],
    ['chat --system-prompt "Be brief" hi', "syn chat --system 'Be brief' hi"],
    ['chat --system-prompt=Brief hi', 'syn chat --system Brief hi'],
    ['chat -a photo.JPG hi', 'syn chat --image photo.JPG hi'],
    ['messages -a notes.txt -a photo.png hi', 'syn messages --file notes.txt --image photo.png hi'],
    ['chat --format json hi', 'syn chat --json hi'],
    ['quota --format=json', 'syn quota --json'],
    ['chat --max_tokens 5 --top_p=1 hi', 'syn chat --max-tokens 5 --top-p 1 hi'],
    ['embed --batch_size 3 hi', 'syn embed --batch-size 3 hi'],
    ['search -n 3 cats', 'syn search --limit 3 cats'],
    ['chat --prompt hi', 'syn chat hi'],
    ['chat -u=true hi', 'syn chat --usage=true hi'],
    ['chat --version', 'syn --version'],
    // several at once, and misspelled commands
    ['ask --system-prompt "Be brief" -t 1 hi', "syn chat --system 'Be brief' --temperature 1 hi"],
    ['caht --json hi', 'syn chat --json hi'],
    ['caht --format json hi', 'syn chat --json hi'],
    ['help caht', 'syn help chat'],
    // questions
    ['hello', 'syn chat hello'],
    ['What is a monad', 'syn chat What is a monad'],
    ['what is a monad', 'syn chat what is a monad'],
    ['list three colors', 'syn chat list three colors'],
    ['history of Rome', 'syn chat history of Rome'],
    ['version control in short', 'syn chat version control in short'],
    ['quote me a line', 'syn chat quote me a line'],
  ])('syn %s', async (line, meant) => {
    const [, hint = ''] = await refusalOf(wordsOf(line))
    expect(hint.replace(/^hint: (syn --help lists the commands; to (ask a model|continue a text), )?/, '')).toMatch(
      /^(use|to continue a text, use) /,
    )
    expect(hint.slice(hint.lastIndexOf('use ') + 4)).toBe(meant)
  })
})

test.each([
  ['-v', 'unknown option -v', 'use syn -V for the version, or --debug to log each request'],
  ['chat -v hi', 'unknown option -v', 'use syn -V for the version, or --debug to log each request'],
  ['caht --json hi', 'unknown command "caht" (did you mean chat?)', 'use syn chat --json hi'],
  ['statu --json', 'unknown command "statu" (did you mean config list?)', 'use syn config list --json'],
  ['doodle', 'unknown command "doodle"', 'syn --help lists the commands; to ask a model, use syn chat doodle'],
  ['last', 'unknown command "last"', 'syn --help lists the commands; to ask a model, use syn chat last'],
  ['histroy', 'unknown command "histroy" (did you mean sessions?)', 'use syn sessions'],
  ['--temprature 1 hi', 'unknown option --temprature (did you mean --temperature?)', undefined],
  ['chat --nostream hi', 'unknown option --nostream (did you mean --no-stream?)', undefined],
  ['chat -n 3 hi', 'unknown option -n', 'use --n for the number of answers, or --max-tokens to limit their length'],
  [
    'chat -o temperature 0.2 hi',
    '--output: temperature is the name of an option',
    'use --temperature 0.2; for a file of that name, use -o ./temperature',
  ],
  ['chat -o json hi', '--output: json is the name of an option', 'use --json; for a file of that name, use -o ./json'],
  ['chat -t 0.5 hi', '--template: 0.5 is a number', 'use --temperature 0.5'],
  ['chat -p "what is up"', '--param: "what is up" is not accepted; expected key=value', 'for a prompt, leave out -p'],
  [
    'quota --fail-below 0.1',
    '--fail-below: "0.1" is not accepted; expected a count such as 50, or a percentage from 0% to 100%',
    'use --fail-below 10%',
  ],
  [
    'models pull ember',
    'unknown subcommand "pull"',
    'use syn models --filter ember to search, or syn models show ember for one model',
  ],
  ['chat --role shell hi', 'unknown option --role', 'use --system TEXT, or --system @FILE, for a system prompt'],
  ['chat -p "1 + 1=2"', '--param: "1 + 1=2" is not accepted; expected key=value', 'for a prompt, leave out -p'],
  ['--nope hi', 'unknown option --nope', 'use syn --help to list the options'],
  ['-m X hi', 'option -m is not valid here', 'use syn chat -m X hi'],
  ['hello', 'unknown command "hello"', 'syn --help lists the commands; to ask a model, use syn chat hello'],
  ['hello --help', 'unknown command "hello"', 'use syn --help to list the commands'],
  [
    'complete bash',
    'bash is the name of a shell',
    'use syn completion bash for its completion script, or syn complete --prompt bash to continue this text',
  ],
  ['completion bahs', 'unknown shell "bahs"; expected bash, zsh, fish or powershell (did you mean bash?)', undefined],
  ['sessions nope --help', 'unknown subcommand "nope"', 'available: list, show, search, export, rm, rename'],
  [
    '--help config gte',
    'unknown subcommand "gte" (did you mean get?)',
    'available: list, profiles, get, set, unset, path, edit',
  ],
  ['sessions show', 'missing argument CONVERSATION', 'see syn sessions show --help'],
  ['sessions show --nope x', 'unknown option --nope', 'use syn sessions show --help to list the options'],
  ['--nope --format embed', 'unknown option --nope', 'use syn embed --help to list the options'],
  ['chat -u=true --verbose hi', '-u takes no value after =', 'use syn chat --usage=true --debug hi'],
  ['sessions --nope show x', 'unknown option --nope', 'use syn sessions show --help to list the options'],
])('syn %s: %s', async (line, message, hint) => {
  expect(await refusalOf(wordsOf(line))).toEqual([`syn: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])])
})

describe('an API key on the command line is not repeated', () => {
  const key = 'sk-0123456789abcdef'
  test.each([
    [['--key', key, 'hi']],
    [['chat', '--key', key, 'hi']],
    [['chat', `--key=${key}`, 'hi']],
    [['chat', `--api_key=${key}`, 'hi']],
    [['chat', `-k${key}`, 'hi']],
    [['caht', '--token', key, 'hi']],
    [['ask', 'hi', '-k', key]],
  ])('%j', async (argv) => {
    const lines = await refusalOf(argv)
    expect(lines.join('\n')).not.toContain(key)
    expect(lines.at(-1)).toMatch(/^hint: the API key is never read from the command line; use syn login/)
  })

  test.each([[[key]], [['hello', key]], [['config', key]], [['login', key]]])('%j', async (argv) => {
    expect((await refusalOf(argv)).join('\n')).not.toContain(key)
  })
})

describe('a stored key, and a word that looks like a key, are not repeated', () => {
  const stored = 'stored-key-of-mine'
  const random = 'Zq3x8Vb2Lm9Rt5Yw7Kp1Nd4'
  test.each(
    [stored, random].flatMap((key) =>
      [
        ['auth', 'login', key],
        ['login', key],
        ['auth', 'login', '--profile', 'work', key],
        ['config', 'add', 'api-key', key],
        ['config', 'set', 'api-key', key],
        ['settings', 'api-key', key],
        ['set', 'api-key', key],
        [`SYN_API_KEY=${key}`, 'chat', 'hi'],
        ['ask', '--bearer', key, 'hi'],
        ['ask', '--access-token', key],
        ['ask', `--openai-api-key=${key}`, 'hi'],
        ['chat', '--password', key, 'hi'],
        ['--header', `Authorization: Bearer ${key}`, 'hi'],
        ['ask', '--header', `Authorization: Bearer ${key}`],
        ['config', 'add', 'key-command', `echo ${key}`],
        ['auth', 'login', '--key-command', `echo ${key}`],
        [key],
        ['chatt', key],
        ['chatt', `is ${key} my key?`],
        ['ask', 'hi', `--user=${key}`],
        ['help', key],
        ['config', key],
        ['models', key],
        ['sessions', 'ls', key],
        ['completion', key],
        [`-${key}`],
        ['embed', '--user', key, '--echo', 'hi'],
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

  test.each([
    ['auth login abc'],
    ['login abc'],
    ['config add api-key abc'],
    ['SYN_API_KEY=abc chat hi'],
    ['ask --bearer abc'],
    ['chat --access-token abc hi'],
  ])('syn %s gets the hint at syn login', async (line) => {
    expect((await refusalOf(wordsOf(line))).at(-1)).toMatch(/^hint: the API key is never read from the command line/)
  })

  test.each([
    ['config add key-command "pass show syn"', 'hint: use syn config set key-command …'],
    ['auth login --with-key', 'hint: use syn login --with-key'],
    ['sessions delete 20261121-134500-ab12cd', 'hint: use syn sessions rm 20261121-134500-ab12cd'],
    ['ask --max_tokens 5 "the key: C"', "hint: use syn chat --max-tokens 5 'the key: C'"],
  ])('syn %s: %s', async (line, hint) => {
    expect((await refusalOf(wordsOf(line))).at(-1)).toBe(hint)
  })

  test('an invalid config file does not hide the error', async () => {
    const home = emptyFolder()
    mkdirSync(join(home, '.config', 'syn'), { recursive: true })
    writeFileSync(join(home, '.config', 'syn', 'config.json'), '{')
    const { err } = await runSyn(['caht', 'hi'], { env: { HOME: home } })
    expect(err).toBe('syn: unknown command "caht" (did you mean chat?)\nhint: use syn chat hi\n')
  })
})

describe('a line in a hint is never refused itself', () => {
  test.each([
    ['--stream false chat hi', 'use syn chat --stream=false hi'],
    ['--json true chat hi there', 'use syn chat --json=true hi there'],
    ['ask --stream false hi', 'use syn chat --stream=false hi'],
    [
      'chat --stream false --json true hi',
      'use syn chat --stream=false --json=true hi, or syn chat --stream --json -- false true hi',
    ],
    ['--prompt "-1 + 2?"', "use syn chat -- '-1 + 2?'"],
    ['chat --prompt "-1 + 2?" --json or 3', "use syn chat --json -- '-1 + 2?' or 3"],
    ['chat --prompt=--json', 'use syn chat -- --json'],
    ['"-1 + 2?" --json', "use syn chat --json -- '-1 + 2?'"],
    ['false -x "-1 + 2?"', 'syn --help lists the commands; to ask a model, see syn chat --help'],
    ['ask -v x', 'see syn chat --help'],
    ['models ls --foo', 'see syn models list --help'],
    ['ask --json --jsonl hi', 'see syn chat --help'],
  ])('syn %s', async (line, hint) => {
    expect((await refusalOf(wordsOf(line))).at(-1)).toBe(`hint: ${hint}`)
  })

  const refused = /unknown (command|subcommand|option)|ambiguous|not valid here|missing|takes |cannot be combined/
  const word = fc.constantFrom(
    '-1 + 2?',
    ...wordsOf('ask chat caht auth login ls models embedding embed quota sessions delete count completion bash help'),
    ...wordsOf('hi false true 5 0.5 -- - --json --jsonl --stream --no-stream --color --logprobs --limit --help --foo'),
    ...wordsOf(
      '--prompt --prompt=--json --system-prompt --verbose --format json --max_tokens -x -v -t -n -m -a -qu -uq -u=true',
    ),
  )

  test('whatever was typed', async () => {
    await using service = await startService(json({ error: 'no' }, 400))
    const run = async (argv: string[]): Promise<string> => (await runSyn(argv, { env: service.env })).err
    const property = fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (argv) => {
      fc.pre(argv[0] !== 'login')
      const [, hint = ''] = /^hint: .*?\buse (syn .+)$/m.exec(await run(argv)) ?? []
      for (const line of hint
        .split(', or ')
        .filter((one) => /^syn (?!-|login|completion)/.test(one) && !/ (to|for) /.test(one))) {
        const words = [...line.slice(4).matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
        const err = await run(words)
        expect(err.split('\n')[0], `${argv.join(' ')} → ${line}`).not.toMatch(refused)
      }
    })
    await fc.assert(property, samples(150))
  })
})

test.each([
  [['ask', 'Say\nhi', '-q'], 'use syn chat … -q'],
  [['a\u001b[2Jb', '-q'], 'use syn chat … -q'],
  [['ask', 'word '.repeat(100), '-q'], 'use syn chat … -q'],
])('a hint is one line, without control characters: %j', async (argv, line) => {
  expect((await refusalOf(argv)).at(-1)).toMatch(new RegExp(`${line}$`))
})
