/** The question before a tool runs, in one-shot use: one key, typed after it appears. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Call, chat, type Piece } from '../../helpers/dialects.ts'
import { environment, quoted, synCommand } from '../../helpers/program.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { type Answer, startService } from '../../helpers/service.ts'
import { onTerminal, synOnTerminal, type Screen, type SynOptions, wide } from '../../helpers/terminal.ts'

const folder = emptyFolder()
const file = join(folder, 'tools.json')
const tools = {
  write: {
    parameters: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
    command: ['sh', '-c', 'echo done > "$1"; seq 8', 'sh', '{{file}}'],
  },
  wait: { command: ['sleep', '60'] },
}
writeFileSync(file, JSON.stringify({ tools }))

const textFile = join(folder, 'text.txt')
writeFileSync(textFile, 'text')

const question = 'Run write? [y]es, [n]o, [a]lways in this run:'

/** A call that leaves this file. */
function writing(path: string): Call {
  return { call: 'write', given: JSON.stringify({ file: path }) }
}

interface Asking extends AsyncDisposable {
  screen: Screen
  /** What was sent with the last request. */
  lastSent(): string
}

async function asking(answers: Answer[], argv: string[] = [], options: SynOptions = {}): Promise<Asking> {
  const service = await startService(...answers)
  const line = ['chat', '--tools-file', file, '-m', 'hf:a/b', '--no-save', '-T', 'write', '-T', 'wait', ...argv, 'Go']
  const screen = synOnTerminal(line, environment(service), { columns: wide, ...options })
  return {
    screen,
    lastSent: () => JSON.stringify(service.asked.at(-1)?.json),
    [Symbol.asyncDispose]: () => service.close(),
  }
}

const asks = (screen: Screen, count = 1): Promise<void> =>
  screen.until((lines) => lines.filter((line) => /^Run \w+\? \[y\]es, .*:/.test(line)).length === count)

const streamed = (...pieces: Piece[]): Answer => chat.streamed(...pieces)

test.concurrent('y runs the call, and the question shows name and arguments', async () => {
  const path = join(emptyFolder(), 'one')
  await using run = await asking([streamed('Hm.', writing(path)), streamed('Yes.')])
  const { screen } = run
  await asks(screen)
  expect(screen.lines()).toContain(`The model calls write {"file":"${path}"}`)
  expect(existsSync(path)).toBe(false)
  screen.type('y')
  expect(await screen.ended).toBe(0)
  expect(existsSync(path)).toBe(true)
  const lines = screen.lines()
  expect(lines.slice(lines.indexOf(`${question} y`) + 1)).toEqual([
    expect.stringMatching(/^write: 8 lines, \d+\.\d s$/),
    '  1',
    '  2',
    '  3',
    '  4',
    '  5',
    '  … 3 more lines',
    'Yes.',
  ])
})

test.concurrent.each([
  ['Enter', '\r'],
  ['what begins with yes', 'yes, but'],
])('%s refuses it, and the model learns that', async (_name, keys) => {
  const path = join(emptyFolder(), 'one')
  await using run = await asking([streamed(writing(path)), streamed('Ok.')])
  const { screen } = run
  await asks(screen)
  screen.type(keys)
  expect(await screen.ended).toBe(0)
  expect(existsSync(path)).toBe(false)
  expect(screen.lines()).toContain('write: not run')
  expect(run.lastSent()).toContain('the user did not let this call run')
})

test.concurrent('a holds for the tool with any arguments, and for no other tool', async () => {
  const paths = ['one', 'two'].map((name) => join(emptyFolder(), name))
  const calls = paths.map(writing)
  await using run = await asking([streamed(...calls, { call: 'wait', given: '{}' }), streamed('Ok.')])
  const { screen } = run
  await asks(screen)
  screen.type('a')
  await asks(screen, 2)
  expect(paths.map((path) => existsSync(path))).toEqual([true, true])
  screen.type('n')
  expect(await screen.ended).toBe(0)
})

test.concurrent('what was typed before the question is no answer to it', async () => {
  const path = join(emptyFolder(), 'one')
  const paced = chat.paced()
  await using run = await asking([paced.answer, streamed('Ok.')])
  const { screen } = run
  await paced.send('Hm.\n\n')
  await screen.until((lines) => lines.includes('Hm.'))
  screen.type('y\ry')
  await screen.until((lines) => lines.some((line) => line.endsWith('y')))
  await paced.finish(writing(path))
  await asks(screen)
  screen.type('\r')
  expect(await screen.ended).toBe(0)
  expect(existsSync(path)).toBe(false)
})

test.concurrent.each(['right after another key', 'during a call'])('Ctrl-C %s ends the run with 130', async (when) => {
  await using run = await asking([streamed({ call: 'wait', given: '{}' })], [], { asProcess: true })
  const { screen } = run
  await asks(screen)
  if (when === 'during a call') {
    screen.type('y')
    await screen.until((lines) => lines.some((line) => line.includes('running wait')))
  }
  screen.type(when === 'during a call' ? '\u0003' : 'x\u0003')
  expect(await screen.ended).toBe(130)
})

test.concurrent('a terminal that is closed at the question ends the run with 129', async () => {
  await using run = await asking([streamed({ call: 'wait', given: '{}' })], [], { asProcess: true })
  const { screen } = run
  await asks(screen)
  screen.hangUp()
  expect(await screen.ended).toBe(129)
})

test.concurrent('neither what is invisible nor spaces control what the terminal shows', async () => {
  const hidden = '\u001b[2J\u202e\u009b5A\n\u200b\u{e0041}\u3164\u2028\u00a0'
  const faked = 'The model calls write ls'
  await using run = await asking([streamed(writing(`${hidden}ü€👩${' '.repeat(2500)}${faked}`)), streamed('Ok.')], [], {
    columns: 60,
  })
  const { screen } = run
  await asks(screen)
  const escaped = String.raw`\u001b[2J\u202e\u009b5A\n\u200b\udb40\udc41\u3164\u2028\u00a0`
  const shown = screen.lines().map((line) => line.replace(/^ {2}/, ''))
  expect(shown.slice(0, -1).join('')).toBe(`The model calls write {"file":"${escaped}ü€👩⟨2500 spaces⟩${faked}"}`)
  // No row of the arguments looks like one of syn.
  expect(screen.lines().filter((line) => /^\S/.test(line))).toEqual([expect.stringMatching(/^The model/), question])
  screen.type('n')
  expect(await screen.ended).toBe(0)
})

test.concurrent('of arguments that may not fit, the start and the end are shown', async () => {
  // Terminals may draw it wider than others.
  const name = '\ua015'.repeat(1000)
  await using run = await asking([streamed(writing(name)), streamed('Ok.')], [], { columns: 80 })
  const { screen } = run
  await screen.until((lines) => lines.at(-1) === 'Run write? [v]iew all, [n]o:')
  const lines = screen.lines()
  expect(lines.length).toBeLessThan(24)
  expect(lines[0]).toMatch(/^The model calls write \{"file":"\ua015/)
  expect(lines.at(-2)).toContain('\ua015"}')
  const hidden = lines.findIndex((line) => line.startsWith('…'))
  expect(lines[hidden]).toMatch(/^… \d+ characters hidden · v shows all$/)
  const shown = [...lines.slice(0, hidden), ...lines.slice(hidden + 1, -1)].map((line) => line.replace(/^ {2}/, ''))
  const call = `The model calls write ${JSON.stringify({ file: name })}`
  expect(lines[hidden]).toContain(` ${call.length - shown.join('').length} `)
  screen.type('n')
  expect(await screen.ended).toBe(0)
  expect(run.lastSent()).toContain('the user did not let this call run')
})

test.concurrent('v shows all of them, and the call runs at the next y', async () => {
  const path = `${join(emptyFolder(), 'one')}${'/.'.repeat(1500)}/../one`
  await using run = await asking([streamed(writing(path)), streamed('Ok.')], [], { columns: 80 })
  const { screen } = run
  await screen.until((lines) => lines.at(-1) === 'Run write? [v]iew all, [n]o:')
  screen.type('v')
  await screen.until((lines) => lines.at(-1) === 'Run write? [y]es, [n]o:')
  const all = screen.lines().map((line) => line.replace(/^ {2}/, ''))
  expect(all.join('')).toContain(JSON.stringify(path))
  screen.type('y')
  expect(await screen.ended).toBe(0)
  expect(screen.lines()).toContainEqual(expect.stringMatching(/^write: (failed, )?\d+ lines?,/))
})

/** Runs a line of bash on a terminal, in which `$SYN` asks and would run a tool. */
async function askingInShell(answers: Answer[], line: string): Promise<Asking> {
  const service = await startService(...answers)
  const argv = `chat --tools-file ${quoted(file)} -m hf:a/b --no-save -T write Go`
  const env = { ...environment(service), SYN: `${synCommand} ${argv}` }
  const screen = onTerminal('bash', ['-c', line], env, { columns: wide })
  const lastSent = (): string => JSON.stringify(service.asked.at(-1)?.json)
  return { screen, lastSent, [Symbol.asyncDispose]: () => service.close() }
}

test.concurrent.each([
  ['a pipe', 'echo text | eval "$SYN"'],
  ['a file', `eval "$SYN" < ${quoted(textFile)}`],
])('standard input is %s: the terminal is asked, and what follows is left to the shell', async (_kind, command) => {
  const path = join(emptyFolder(), 'one')
  await using run = await askingInShell(
    [streamed(writing(path)), streamed('Yes.')],
    `modes=$(stty -g); ${command}; [ "$(stty -g)" = "$modes" ] && read -r next && echo "next: $next"`,
  )
  const { screen } = run
  await asks(screen)
  expect(run.lastSent()).toContain('text')
  screen.type('y')
  await screen.until((lines) => lines.includes('Yes.'))
  screen.type('mine\r')
  expect(await screen.ended).toBe(0)
  expect(existsSync(path)).toBe(true)
  expect(screen.lines().at(-1)).toBe('next: mine')
})

test.concurrent('two of them in one pipe ask one after the other', async () => {
  const paths = ['one', 'two'].map((name) => join(emptyFolder(), name))
  const line = 'echo text | eval "$SYN" | eval "$SYN" > /dev/null; echo "${PIPESTATUS[*]}"'
  await using run = await askingInShell(
    paths.flatMap((path) => [streamed(writing(path)), streamed('Yes.')]),
    line,
  )
  const { screen } = run
  await asks(screen)
  screen.type('y')
  await asks(screen, 2)
  expect(paths.map((path) => existsSync(path))).toEqual([true, false])
  screen.type('y')
  await screen.ended
  expect(paths.map((path) => existsSync(path))).toEqual([true, true])
  expect(screen.lines().at(-1)).toBe('0 0 0')
})

test.concurrent.each([
  ['in the background', 'set -m; echo text | eval "$SYN" & wait $!'],
  ['with standard error elsewhere', 'echo text | eval "$SYN" 2> >(cat)'],
  ['with --no-stdin', 'echo text | eval "$SYN --no-stdin"'],
  ['from /dev/null', 'eval "$SYN" < /dev/null'],
])('%s, nobody is asked', async (_where, line) => {
  await using run = await askingInShell([streamed('No.')], `${line}; status=$?; stty -a > /dev/null; exit $status`)
  expect(await run.screen.ended).toBe(2)
  expect(run.screen.lines().join(' ')).toContain('syn: cannot ask before a tool runs: standard input is not a terminal')
})
