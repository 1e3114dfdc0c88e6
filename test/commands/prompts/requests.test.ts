/** A prompt makes the same request wherever it is used, and a mistake in it is named before anything is sent. */

import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { quoted } from '../../helpers/program.ts'
import { isUnix } from '../../helpers/modes.ts'
import { emptyFolder, runSyn, type Outcome } from '../../helpers/run-syn.ts'
import { chatAnswer, events, json, startService } from '../../helpers/service.ts'

/** A home with stored prompts, by name, and one file. */
function homeWithPrompts(prompts: Record<string, string>): { home: string; folder: string; file: string } {
  const home = emptyFolder()
  const folder = join(home, '.config', 'syn', 'prompts')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(prompts)) writeFileSync(join(folder, `${name}.md`), text)
  const file = join(home, 'rows.txt')
  writeFileSync(file, 'a diff\n')
  return { home, folder, file }
}

async function dryRun(home: string, argv: string[], stdin = 'a diff\n'): Promise<Outcome & { body: Body }> {
  // A model of the prompt counts as -m, not as SYN_MODEL.
  const env = { HOME: home, SYN_MODEL: 'hf:org/variable' }
  const outcome = await runSyn([...argv, '--dry-run'], { env, stdin })
  return { ...outcome, body: outcome.code === 0 ? (JSON.parse(outcome.out) as Body) : {} }
}

type Body = Record<string, unknown>

const system = 'You are a strict reviewer: be brief.'
const review = `---
description: Review a diff
model: hf:org/reviewer
temperature: 0
top_p: 0.5
system: ${system}
---
Review this. Look for {{focus}}.

{{.}}
`

const filled = 'Review this. Look for races {{.}}.\n\na diff'
const turn = { role: 'user', content: filled }
const fields = { model: 'hf:org/reviewer', stream: true, temperature: 0, top_p: 0.5 }
const chatRequest = { ...fields, messages: [{ role: 'system', content: system }, turn] }
const messagesRequest = { ...fields, max_tokens: 8192, system, messages: [turn] }

test.each<[string, string[], Body]>([
  ['chat', ['chat'], chatRequest],
  ['a batch of one row', ['batch', 'FILE'], chatRequest],
  ['messages', ['messages'], messagesRequest],
])('%s: the same request, with any line ends', async (_what, argv, expected) => {
  const crlf = `\u{feff}${review.trimEnd().replaceAll('\n', '\r\n')}`
  const { home, file } = homeWithPrompts({ review, crlf })
  const words = argv.map((word) => (word === 'FILE' ? file : word))
  const lf = await dryRun(home, [...words, '-t', '@review', '--var', 'focus=races {{.}}'])
  expect(lf.err).not.toContain('hint')
  expect(lf.body).toEqual(expected)
  const other = await dryRun(home, [...words, '-t', '@crlf', '--var', 'focus=races {{.}}'])
  expect(other.body).toEqual(expected)
})

test('syn complete takes it too, and a text without {{.}} is followed by the words, then standard input', async () => {
  const { home } = homeWithPrompts({ go: '---\ntemperature: 0\n---\nGo on:' })
  expect((await dryRun(home, ['complete', '-t', '@go', 'so'])).body).toMatchObject({
    prompt: 'Go on:\n\nso\na diff',
    temperature: 0,
  })
  expect((await dryRun(home, ['chat', '-t', '@go', 'so'])).body.messages).toEqual([
    { role: 'user', content: 'Go on:\n\nso\n\na diff' },
  ])
  expect((await dryRun(home, ['batch', '--lines', '--yes', '-t', '@go'])).body.messages).toEqual([
    { role: 'user', content: 'Go on:' },
  ])
})

describe('what is on the command line wins', () => {
  const { home } = homeWithPrompts({
    all: `---\nmodel: hf:org/prompt\ntemperature: 0\nseed: 1\nsystem: Of the prompt.\nschema: {"type": "object"}\n---\nHi`,
    format: '---\nresponse_format: {"type": "json_object"}\nlogprobs: true\nparallel_tool_calls: true\n---\nHi',
    style: '---\nsystem: Of the prompt.\n---\nHi',
  })
  const text = { response_format: { type: 'text' } }
  const schema = ['--schema', '{"type":"object"}']
  test.each<[string[], Body]>([
    [[], { model: 'hf:org/prompt', temperature: 0, seed: 1, response_format: { type: 'json_schema' } }],
    [['-m', 'hf:org/flag', '--temperature', '1'], { model: 'hf:org/flag', temperature: 1, seed: 1 }],
    [['--json-object'], { response_format: { type: 'json_object' } }],
    [['-p', 'response_format={"type":"text"}'], text],
    [['-t', '@format', ...schema], { response_format: { type: 'json_schema' } }],
    [['-t', '@format', '--no-logprobs', '--no-parallel-tool-calls'], { logprobs: false, parallel_tool_calls: false }],
  ])('%j', async (argv, expected) => {
    const line = argv.includes('-t') ? argv : ['-t', '@all', ...argv]
    expect((await dryRun(home, ['chat', '--no-stdin', ...line])).body).toMatchObject(expected)
  })

  test.each<[string[]]>([[['-s', 'Mine.']], [['-p', 'system=Mine.']], [['--body', '{"system":"Mine."}']]])(
    'the system prompt of %j in the messages API',
    async (argv) => {
      const { body } = await dryRun(home, ['messages', '-t', '@style', ...argv], '')
      expect(body.system).toBe('Mine.')
    },
  )

  test.each(['chat', 'messages', 'batch --yes --lines', 'count-tokens'])(
    'syn %s sends no empty system prompt',
    async (command) => {
      const template = command === 'count-tokens' ? [] : ['-t', '@style']
      const { body } = await dryRun(home, [...command.split(' '), ...template, '-s', ''])
      expect(JSON.stringify(body)).not.toContain('system')
    },
  )

  test('a system prompt of --messages is sent too, as with -s', async () => {
    const mine = { role: 'system', content: 'Mine.' }
    const { body } = await dryRun(home, ['chat', '-t', '@style', '--messages', JSON.stringify([mine])], '')
    expect(body.messages).toMatchObject([{ content: 'Of the prompt.' }, mine, { content: 'Hi' }])
  })
})

test.each<[string, unknown]>([
  ['user: 123', { user: '123' }],
  ['stop: ###', { stop: '###' }],
])('the field %j', async (line, expected) => {
  const { home } = homeWithPrompts({ one: `---\n${line}\n---\nHi` })
  expect((await dryRun(home, ['chat', '-t', '@one'], '')).body).toMatchObject(expected as object)
})

const unsettable = (name: string): string => `, line 2: "${name}" is not a field that a prompt can set here`

describe('a mistake ends with status 2, and nothing is sent', () => {
  test.each<[file: string, argv: string[], message: string]>([
    ['---\ntemprature: 0\n---\n', ['chat'], `${unsettable('temprature')} (did you mean temperature?)`],
    ['---\ntemperature: 3\n---\n', ['chat'], ', line 2: temperature: 3 is not accepted; expected a number from 0 to 2'],
    ['---\nseed: 12345678901234567890\n---\n', ['chat'], ', line 2: seed: 12345678901234567890 is not accepted'],
    [
      '---\nresponse_format: {"type": "text"}\nschema: {}\n---\n',
      ['chat'],
      ', line 2: response_format and schema cannot be combined',
    ],
    ['---\nbase_url: https://evil.example\n---\n', ['chat'], unsettable('base_url')],
    ['---\n__proto__: {}\n---\n', ['chat'], unsettable('__proto__')],
    ['---\nsystem: x\n---\n', ['complete'], unsettable('system')],
    ['---\nseed: 1\n---\n\nab {{c', ['chat'], ': {{ is not closed at line 5, column 4'],
  ])('%j in %j: %s', async (text, argv, message) => {
    await using service = await startService(events(chatAnswer(['hi'])))
    const { home, folder } = homeWithPrompts({ bad: text })
    const options = { env: { ...service.env, HOME: home }, stdin: 'a diff\n' }
    const err = expect.stringContaining(`syn: --template ${join(folder, 'bad.md')}${message}`) as string
    expect(await runSyn([...argv, '-t', '@bad'], options)).toEqual({ code: 2, out: '', err })
    // The model list is free.
    expect(service.asked.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test.each<[argv: string[], stdin: string | undefined, err: string]>([
    [['chat', '-t', '@review'], 'diff', 'prompt review: no value for "focus"\nhint: use --var focus=TEXT\n'],
    [['messages', '-t', '{{.}}'], undefined, '--template: no value for "."\nhint: give words, or pipe in a text\n'],
    [['chat', '-t', '{{a}}', '--var', 'b=1', '--var', 'a=1'], 'x', '--template: the text has no {{b}}\n'],
    [
      ['batch', '-q', '-t', '@review'],
      '{"a":1}',
      'prompt review: no value for "focus"; standard input, line 1: no column "focus" (available: "a")\nhint: use --var focus=TEXT\n',
    ],
    [['chat', '--var', 'a=1', 'hi'], undefined, '--var needs --template\n'],
    [
      ['chat', '-t', '@revew'],
      undefined,
      '--template: cannot read revew: no such file, and no prompt "revew" (did you mean review?)\nhint: use syn prompts to list the prompts\n',
    ],
    [['chat', '-t', '@a\nb'], undefined, '--template: cannot read "a\\nb": no such file\n'],
    [['chat', '-t', ' ', 'hi'], undefined, '--template: the text is empty\n'],
    [
      ['chat', '-t', 'revew', 'hi'],
      undefined,
      '--template: no prompt "revew" (did you mean review?)\nhint: to send it as text, add {{.}}, which stands for the input\n',
    ],
  ])('%j', async (argv, stdin, err) => {
    await using service = await startService(events(chatAnswer(['hi'])))
    const { home } = homeWithPrompts({ review: '{{focus}}' })
    const options = { env: { ...service.env, HOME: home }, ...(stdin !== undefined && { stdin }) }
    expect(await runSyn(argv, options)).toEqual({ code: 2, out: '', err: `syn: ${err}` })
    expect(service.asked.filter(({ method }) => method === 'POST')).toEqual([])
  })
})

describe('-s @NAME', () => {
  const { home, folder } = homeWithPrompts({ style: '---\ndescription: Plain\n---\nWrite plainly.\n', review })
  test('takes its text', async () => {
    const { out } = await dryRun(home, ['batch', '--lines', '-s', '@style'])
    expect(out).toContain('"Write plainly."')
  })

  test('refuses fields', async () => {
    const { code, err } = await runSyn(['messages', '-s', '@review', 'hi'], { env: { HOME: home } })
    expect({ code, err }).toEqual({
      code: 2,
      err: `syn: --system ${join(folder, 'review.md')}, line 3: --system takes a text only, and the file sets "model"\n`,
    })
  })
})

describe.runIf(isUnix)('a prompt that others can change', () => {
  const uses = [
    ['chat', '-t', 'style'],
    ['batch', '--lines', '-t', '@style'],
    ['chat', '-s', '@style', 'hi'],
  ]

  function placeWithPrompt(): { home: string; folder: string; path: string } {
    const { home, folder } = homeWithPrompts({ style: 'Write plainly.' })
    return { home, folder, path: join(folder, 'style.md') }
  }

  async function expectRefused(home: string, path: string, reason: string, remedy: string): Promise<void> {
    const hint = `check the file, then use ${remedy}; or set HOME or XDG_CONFIG_HOME to another folder, as sudo -H does`
    const expected = { code: 2, out: '', err: `syn: refusing to read ${path}: ${reason}\nhint: ${hint}\n` }
    for (const argv of uses) {
      const { code, out, err } = await dryRun(home, argv)
      expect({ argv, code, out, err }).toEqual({ argv, ...expected })
    }
    expect(await runSyn(['prompts', 'show', 'style'], { env: { HOME: home } })).toMatchObject({
      code: 0,
      out: 'Write plainly.',
    })
    expect(await runSyn(['prompts'], { env: { HOME: home } })).toMatchObject({ code: 0, out: 'style\t\n' })
  }

  async function expectUsed(home: string): Promise<void> {
    for (const argv of uses) expect(await dryRun(home, argv)).toMatchObject({ code: 0 })
  }

  test('by its mode', async () => {
    const { home, path } = placeWithPrompt()
    chmodSync(path, 0o602)
    await expectRefused(home, path, 'other users can change it', `chmod go-w ${quoted(path)}`)
    // A path names a file like any other: only files found by the name of a prompt are checked.
    expect(await dryRun(home, ['chat', '-t', `@${path}`])).toMatchObject({ code: 0 })
    chmodSync(path, 0o600)
    await expectUsed(home)
  })

  test('by its folder', async () => {
    const { home, folder, path } = placeWithPrompt()
    chmodSync(folder, 0o777)
    await expectRefused(home, path, `other users can change ${folder}`, `chmod go-w ${quoted(folder)}`)
  })

  test('behind a link, as to a repository of dotfiles', async () => {
    const { home, path } = placeWithPrompt()
    const dotfiles = join(emptyFolder(), 'dotfiles')
    mkdirSync(dotfiles)
    const target = join(dotfiles, 'style.md')
    renameSync(path, target)
    symlinkSync(target, path)
    await expectUsed(home)
    chmodSync(target, 0o606)
    await expectRefused(home, path, `other users can change ${target}`, `chmod go-w ${quoted(target)}`)
    chmodSync(target, 0o644)
    chmodSync(dotfiles, 0o777)
    await expectRefused(home, path, `other users can change ${dotfiles}`, `chmod go-w ${quoted(dotfiles)}`)
  })
})

test('standard input is not waited for where a value is missing', async () => {
  const { home } = homeWithPrompts({ review, here: 'Here: {{ . }}' })
  const endless = (): Readable => new Readable({ read: () => undefined })
  const env = { HOME: home }
  expect(await runSyn(['chat', '-t', '@review'], { env, stdin: endless() })).toMatchObject({ code: 2 })
  const { out } = await runSyn(['chat', '-t', '@here', '--dry-run'], { env, stdin: 'a diff', stdinKind: 'socket' })
  expect(out).toContain('"Here: a diff"')
})

test('an image is input enough', async () => {
  const { home } = homeWithPrompts({ here: 'Describe this: {{.}}' })
  const { body } = await dryRun(home, ['chat', '-t', '@here', '-i', 'https://a.example/b.png', '--no-stdin'])
  expect(JSON.stringify(body.messages)).toContain('Describe this: ')
})

test('the name of a file without its @ is noticed', async () => {
  const { home, folder } = homeWithPrompts({ review })
  const { body, err } = await dryRun(home, ['chat', '-t', join(folder, 'review.md')])
  expect(JSON.stringify(body)).toContain(JSON.stringify(`${join(folder, 'review.md')}\n\na diff`))
  expect(err).toContain(
    `only the name is sent; use -t ${quoted(`@${join(folder, 'review.md')}`)} to send its content\n`,
  )
})

test('the schema of a prompt checks the answer', async () => {
  const { home } = homeWithPrompts({ person: '---\nschema: {"type": "object", "required": ["age"]}\n---\nA person' })
  await using service = await startService(events(chatAnswer(['{"name": "Ada"}'])))
  const { code, err } = await runSyn(['chat', '-t', '@person'], { env: { ...service.env, HOME: home } })
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('age') as string })
})

test('the system prompt holds for this run only', async () => {
  const { home } = homeWithPrompts({ brief: '---\nsystem: Be brief.\n---\n{{.}}' })
  const hi = events(chatAnswer(['hi']))
  await using service = await startService(hi, hi, hi, hi, json({ error: 'no' }, 400), hi)
  const run = (...argv: string[]): Promise<Outcome & { body: Body }> =>
    dryRun(home, ['chat', '--session', 't', ...argv], '')
  const ask = (...argv: string[]): Promise<Outcome> =>
    runSyn(['chat', '--session', 't', ...argv], { env: { ...service.env, HOME: home } })
  for (const given of [[], ['-s', 'Keep.']]) {
    await ask(...given, 'a')
    expect(JSON.stringify((await run('-t', '@brief', 'x')).body)).toContain('Be brief.')
    await ask('-t', '@brief', 'x')
    expect(JSON.stringify(service.asked.at(-1)?.body)).toContain('Be brief.')
    const next = JSON.stringify((await run('y')).body)
    expect(next).not.toContain('Be brief.')
    expect(next.includes('Keep.')).toBe(given.length > 0)
  }
  // A prompt without an answer counts, too.
  await ask('-t', '@brief', 'x')
  expect(JSON.stringify((await run('y')).body)).not.toContain('Be brief.')
  await ask('-t', '@brief', '-s', 'Mine.', 'x')
  expect(JSON.stringify((await run('y')).body)).toContain('Mine.')
})

test('a notice says that only the name of a prompt is sent as the system prompt', async () => {
  const { home } = homeWithPrompts({ review })
  const { body, err } = await dryRun(home, ['chat', '-s', 'review', '-s', 'other'])
  expect(body.messages).toContainEqual({ role: 'system', content: 'review\n\nother' })
  expect(err).toContain('review is a stored prompt, of which only the name is sent; use -s @review to send its text\n')
})
