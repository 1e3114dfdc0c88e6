/** Which conversations are saved, and the content of their files. */

import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AskingOptions } from '../../helpers/asking.ts'
import { chat } from '../../helpers/chat.ts'
import { conversationFiles, conversationsFolder, homeWithConversations, linesIn } from '../../helpers/conversations.ts'
import { emptyFile, emptyFolder } from '../../helpers/run-syn.ts'
import { homeWithProfile } from '../../settings/stored.ts'
import { expectMode, needsPermissions } from '../../helpers/modes.ts'

/** The number of lines that a run adds. */
async function linesKept(argv: string[], options: AskingOptions, home = emptyFolder()): Promise<number> {
  const before = countLines(home)
  const { code } = await chat([...argv, 'hi'], { ...options, env: { HOME: home, ...options.env } })
  expect(code).toBe(0)
  return countLines(home) - before
}

function countLines(home: string): number {
  return conversationFiles(home).reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0)
}

describe('a conversation is saved', () => {
  const known = (setting?: boolean): string => {
    const home = homeWithConversations({ id: '20261120-080000-aaaaaa', name: 'x', turns: [['a', 'One.']] })
    if (setting !== undefined) cpSync(homeWithProfile({ save: setting }), home, { recursive: true })
    return home
  }

  test.each<[line: string, terminal: boolean, elsewhere: boolean, setting?: boolean]>([
    ['', true, false],
    ['--save', true, true],
    ['--no-save', false, false],
    ['-c', true, true],
    ['--json', true, false],
    ['-o FILE', false, false],
    ['-o FILE --save', true, true],
    ['--dry-run', false, false],
    ['', false, false, false],
    ['', true, false, true],
  ])('syn chat %s: on a terminal %s, elsewhere %s (setting %s)', async (line, terminal, elsewhere, setting) => {
    const argv = line
      .split(' ')
      .filter(Boolean)
      .map((word) => word.replace('FILE', join(emptyFolder(), 'file')))
    expect({
      terminal: (await linesKept(argv, { isTerminal: true }, known(setting))) > 0,
      elsewhere: (await linesKept(argv, {}, known(setting))) > 0,
    }).toEqual({ terminal, elsewhere })
  })
})

test('nothing is saved if nothing was sent', async () => {
  const home = emptyFolder()
  const { code, asked } = await chat(['--save', '-o', '/nowhere/x', 'hi'], { env: { HOME: home } })
  expect({ code, asked }).toEqual({ code: 2, asked: [] })
  expect(conversationFiles(home)).toEqual([])
})

describe('the file', () => {
  test('contains the turn and the answer', async () => {
    const home = emptyFolder()
    await chat(['--save', '-s', 'Be brief', '-m', 'hf:x', 'hi'], { env: { HOME: home } })
    const lines = linesIn(home)
    const id = expect.stringMatching(/^\d{8}-\d{6}-[\da-f]{6}$/)
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const [, turn, answer] = lines
    expect(lines).toEqual([
      { type: 'conversation', at, version: 1, id },
      {
        type: 'turn',
        at,
        id: expect.any(String),
        system: 'Be brief',
        service: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        messages: [{ role: 'user', content: 'hi' }],
      },
      { type: 'answer', at, id: expect.any(String), parent: turn?.id, model: 'hf:x' },
      {
        type: 'end',
        at,
        answer: answer?.id,
        model: 'served',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 2 },
      },
    ])
    expect(conversationFiles(home)).toEqual([join(conversationsFolder(home), `${String(lines[0]?.id)}.jsonl`)])
  })

  test('and its directory are private, and become so when something is added', async () => {
    const home = emptyFolder()
    const env = { HOME: home }
    await chat(['--save', 'hi'], { env })
    const [path = ''] = conversationFiles(home)
    for (const folder of [dirname(path), dirname(dirname(path))]) expectMode(folder, '700')
    expectMode(path, '600')
    chmodSync(path, 0o644)
    await chat(['-c', 'hi'], { env })
    expectMode(path, '600')
  })
})

test('where nothing can be saved, nothing is sent if saving was asked for, also with -q; else a notice says so', async () => {
  const env = { XDG_DATA_HOME: emptyFile() }
  const err = expect.stringMatching(/^syn: cannot save the conversation: cannot write /) as string
  const refused = { code: 1, out: '', err: expect.stringMatching(/^syn: cannot write /) as string, asked: [] }
  expect(await chat(['--save', '-q', 'hi'], { env })).toMatchObject(refused)
  expect(await chat(['hi'], { env, isTerminal: true })).toMatchObject({ code: 0, out: 'Hello\n', err })
})

test('a folder that takes no new file: the conversation has the parts', async (context) => {
  needsPermissions(context)
  const home = homeWithConversations({ id: '20261120-080000-aaaaaa', turns: [['a', 'One.']] })
  chmodSync(conversationsFolder(home), 0o500)
  const { code, out, err } = await chat(['-c', 'hi'], { env: { HOME: home } })
  chmodSync(conversationsFolder(home), 0o700)
  expect({ code, out, err }).toEqual({ code: 0, out: 'Hello\n', err: '' })
  expect(
    linesIn(home)
      .map(({ type }) => type)
      .slice(-4),
  ).toEqual(['turn', 'answer', 'part', 'end'])
})

test('a conversation that cannot be written: nothing is sent, unless with --no-save', async (context) => {
  needsPermissions(context)
  const id = '20261120-080000-aaaaaa'
  const env = { HOME: homeWithConversations({ id, turns: [['a', 'One.']] }) }
  const [path = ''] = conversationFiles(env.HOME)
  chmodSync(path, 0o400)
  const refused = { code: 1, out: '', err: `syn: cannot write ${path}: permission denied\n`, asked: [] }
  for (const argv of [['-c'], ['--session', id]]) expect(await chat([...argv, 'hi'], { env })).toMatchObject(refused)
  expect(await chat(['-c', '--no-save', 'hi'], { env })).toMatchObject({ code: 0, out: 'Hello\n', err: '' })
})

describe('a file that is damaged', () => {
  const id = '20261120-080000-aaaaaa'
  const damagedBy = (change: (text: string) => string): { home: string; path: string } => {
    const home = homeWithConversations({ id, turns: [['a', 'One.']] })
    const [path = ''] = conversationFiles(home)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    return { home, path }
  }

  test.each<[what: string, change: (text: string) => string, notice: string]>([
    ['in the middle', (text) => text.replace(/\{"type":"part"/, '{"type":"p'), 'skipped line 4: damaged'],
    ['by a newer version', (text) => `${text}{"type":"vote"}\n`, 'skipped line 6: unknown type'],
    ['in many lines', (text) => `${'x\n'.repeat(50)}${text}`, 'skipped lines 1, 2, 3 and 47 more: damaged'],
  ])('%s: is reported, and the rest is used', async (_what, change, notice) => {
    const { home, path } = damagedBy(change)
    const { code, err, asked } = await chat(['-c', 'b'], { env: { HOME: home } })
    expect({ code, err }).toEqual({ code: 0, err: `syn: ${path}: ${notice}\n` })
    expect(asked[0]?.json).toMatchObject({ messages: [{ content: 'a' }, { content: 'One.' }, { content: 'b' }] })
    const again = await chat(['-c', '-q', 'c'], { env: { HOME: home } })
    expect(again.asked[0]?.json).toMatchObject({ messages: [{}, {}, { content: 'b' }, { content: 'Hello' }, {}] })
  })

  test('one of a newer format is not changed', async () => {
    const { home, path } = damagedBy((text) => text.replace('"version":1', '"version":2'))
    const before = readFileSync(path)
    const { code, err } = await chat(['-c', 'b'], { env: { HOME: home } })
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`syn: cannot read ${path}: written by a newer version of syn (format 2)\n`),
    })
    expect(readFileSync(path)).toEqual(before)
  })
})
