/** Notifications of answers and questions that come late: in the chat while its terminal is not in front, and at the end of runs. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { chat as dialect, type Piece } from '../helpers/dialects.ts'
import { leapingNow } from '../helpers/clock.ts'
import { type ChatOptions, openChat } from '../helpers/interactive-chat.ts'
import { quoted } from '../helpers/program.ts'
import { emptyFolder, runSyn, type RunOptions } from '../helpers/run-syn.ts'
import { type Answer, chatAnswer, events, json, startService } from '../helpers/service.ts'
import { inThisProcess, wide } from '../helpers/terminal.ts'
import { toolsFile } from '../helpers/tools.ts'
import { homeWithProfile } from '../settings/stored.ts'

/** Recorded from xterm 379 and tmux 3.3a, which report the state as soon as they are asked, too; kitty documents the same. */
const [lost, got] = ['\u001b[O', '\u001b[I']

const bell = '\u0007'
const osc9 = '\u001b]9;syn: answer ready\u0007'
const osc777 = '\u001b]777;notify;syn;answer ready\u0007'

/** The bells and the notifications that were written. */
function notifications(written: string): string[] {
  return written.match(/\u001b\](?:9|777);[^\u0007]*\u0007|\u0007/g) ?? []
}

interface Waiting extends ChatOptions {
  readonly notify?: string
  /** What the terminal sends during the answer. */
  readonly reports?: string
  /** How long the answer takes, in milliseconds (default: more than ten seconds). */
  readonly took?: number
  readonly ending?: Piece
}

/** A chat with an answer that took long, and a letter in the line, which the reports did not change. */
async function answered({ notify = 'auto', reports = '', took = 10_001, ending = 'two', ...options }: Waiting) {
  let shift = 0
  const paced = dialect.paced()
  const chat = await openChat([paced.answer, dialect.streamed('Ok.')], {
    columns: wide,
    ...options,
    env: { HOME: homeWithProfile({ notify }), ...options.env },
    start: (argv, env, how) =>
      inThisProcess((words, io) => run(words, { ...io, elapsed: () => io.elapsed() + shift }), argv, env, { ...how }),
  })
  chat.screen.type('Go\r')
  await paced.send('one ')
  // The line of accessible mode is not shown during an answer.
  if (options.env?.ACCESSIBLE) chat.screen.type(`${reports}x`)
  else await chat.type(`${reports}x`, '» x')
  shift = took
  await paced.finish(ending)
  if (typeof ending === 'string') await chat.screen.until((lines) => lines.at(-1) === '› x')
  return chat
}

describe.concurrent('an answer', () => {
  test.each<[terminal: string, term: string, env: Record<string, string>, expected: string]>([
    // https://iterm2.com/documentation-escape-codes.html
    ['iTerm2', 'xterm-256color', { TERM_PROGRAM: 'iTerm.app' }, osc9],
    ['iTerm2 over SSH', 'xterm-256color', { LC_TERMINAL: 'iTerm2' }, osc9],
    // kitty 0.24, Ghostty #8413, foot-ctlseqs(7), notification_handling of WezTerm
    ['kitty', 'xterm-kitty', {}, osc777],
    ['Ghostty', 'xterm-ghostty', {}, osc777],
    ['foot', 'foot', {}, osc777],
    ['WezTerm', 'xterm-256color', { TERM_PROGRAM: 'WezTerm' }, osc777],
    ['xterm', 'xterm-256color', {}, bell],
    ['Windows Terminal', 'xterm-256color', { WT_SESSION: '7c0d7b5e' }, bell],
    ['tmux in kitty', 'xterm-kitty', { TMUX: '/tmp/tmux-1000/default,1,0' }, bell],
    ['tmux at the other end of SSH from iTerm2', 'tmux-256color', { LC_TERMINAL: 'iTerm2' }, bell],
    ['Zellij in WezTerm', 'xterm-256color', { TERM_PROGRAM: 'WezTerm', ZELLIJ: '0' }, bell],
  ])('in %s', async (_terminal, term, env, expected) => {
    await using chat = await answered({ term, env, reports: lost })
    expect(notifications(chat.screen.written())).toEqual([expected])
  })

  test.each<[what: string, options: Waiting, expected: string[]]>([
    ['in front', {}, []],
    ['in front again', { reports: `${lost}${got}` }, []],
    ['in front for a moment only', { reports: `${lost}${got}${lost}` }, [bell]],
    ['within ten seconds', { reports: lost, took: 9000 }, []],
    ['off', { notify: 'off', reports: lost }, []],
    ['with a bell', { notify: 'bell', reports: lost, term: 'xterm-kitty' }, [bell]],
    ['with a bell, in front', { notify: 'bell' }, []],
    ['with the word that switches', { notify: 'on', reports: lost }, [bell]],
    ['for a screen reader: once', { reports: lost, env: { ACCESSIBLE: '1' } }, [bell]],
    ['for a screen reader, in front and off', { notify: 'off', env: { ACCESSIBLE: '1' } }, [bell]],
  ])('%s', async (_what, options, expected) => {
    await using chat = await answered(options)
    expect(notifications(chat.screen.written())).toEqual(expected)
    expect(chat.screen.written().includes('\u001b[?1004h')).toBe(options.notify !== 'off')
  })
})

test('a question about a tool, which focus reports do not answer', async () => {
  const file = toolsFile({ tools: { hello: { parameters: { type: 'object' }, command: ['sh', '-c', 'echo hello'] } } })
  const argv = ['--tools-file', file, '-T', 'hello']
  await using chat = await answered({ argv, reports: lost, ending: { call: 'hello', given: '{}' }, term: 'foot' })
  await chat.screen.until((lines) => lines.at(-1) === '[y/n/a]')
  expect(notifications(chat.screen.written())).toEqual(['\u001b]777;notify;syn;approval needed\u0007'])
  chat.screen.type(got)
  chat.screen.type(lost)
  chat.screen.type(got)
  chat.screen.type('y')
  await chat.screen.until((lines) => lines.includes('Ok.') && lines.at(-1) === '› x')
  expect(chat.screen.lines()).toContain('  hello')
  expect(notifications(chat.screen.written())).toHaveLength(1)
})

describe('a command', () => {
  test('gets the text, and no terminal', async () => {
    const file = join(emptyFolder(), 'text')
    const path = quoted(file)
    const notify = `cat > ${path}; (echo over it > /dev/tty) 2> /dev/null || echo no terminal >> ${path}`
    await using chat = await answered({ notify, reports: lost })
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBe('syn: answer ready\nno terminal\n')
    expect(notifications(chat.screen.written())).toEqual([])
    expect(chat.screen.written()).not.toContain('over it')
  })

  test('that fails is a notice above the line', async () => {
    await using chat = await answered({ notify: 'echo mess; exit 3', reports: lost })
    const notice = 'syn: the command of the setting notify exited with status 3'
    await chat.screen.until((lines) => lines.includes(notice) && lines.at(-1) === '› x')
    expect(chat.screen.written()).not.toContain('mess')
  })
})

const rows = join(emptyFolder(), 'rows.txt')
writeFileSync(rows, 'one\n')
const batch = ['batch', rows]
const refused = json({ error: 'no' }, 400)

interface EndedOptions extends RunOptions {
  readonly isQuick?: boolean
  readonly answer?: Answer
}

async function ended(
  argv: string[],
  notify: string,
  { isQuick = false, answer = events(chatAnswer(['Hello'])), ...options }: EndedOptions,
): Promise<string[]> {
  await using service = await startService(answer)
  const env = { ...service.env, HOME: homeWithProfile({ notify }) }
  const { code, out, err } = await runSyn(argv, { ...(!isQuick && { now: leapingNow() }), ...options, env })
  expect([code, err.match(/notify.*/)]).toEqual([answer === refused ? 1 : 0, null])
  return notifications(out + err)
}

describe('a run', () => {
  const terminal: RunOptions = { isTerminal: true, stdinKind: 'terminal' }

  test.each<[what: string, argv: string[], notify: string, options: Parameters<typeof ended>[2], expected: string[]]>([
    ['on a terminal', ['chat', 'hi'], 'bell', terminal, [bell]],
    ['of rows', batch, 'bell', terminal, [bell]],
    ['auto', ['chat', 'hi'], 'auto', terminal, []],
    ['off', ['chat', 'hi'], 'off', terminal, []],
    ['that was short', ['chat', 'hi'], 'bell', { ...terminal, isQuick: true }, []],
    ['in a pipe', ['chat', 'hi'], 'bell', { stdinKind: 'terminal' }, []],
    ['without stdin', ['chat', 'hi'], 'bell', { isTerminal: true }, []],
  ])('%s', async (_what, argv, notify, options, expected) => {
    expect(await ended(argv, notify, options)).toEqual(expected)
  })

  test.each<[argv: string[], expected: string, answer?: Answer]>([
    [['chat', 'hi'], 'syn: answer ready\n'],
    [['chat', 'hi'], 'syn: answer failed\n', refused],
    [batch, 'syn: batch ended\n'],
  ])('%j in a pipe runs the command', async (argv, expected, answer) => {
    const file = join(emptyFolder(), 'text')
    expect(await ended(argv, `cat > ${quoted(file)}`, { ...(answer && { answer }) })).toEqual([])
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBe(expected)
  })
})
