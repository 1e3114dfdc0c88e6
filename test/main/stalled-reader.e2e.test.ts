/** A signal ends a run whose output nobody reads, and what it received is kept. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { delta } from '../helpers/chat-chunks.ts'
import { conversationFiles, entriesIn } from '../helpers/conversations.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, node, program } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

/** More than a pipe or a terminal takes. */
const long = 'many words '.repeat(100_000)

function namedPipe(): string {
  const path = join(emptyFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  return path
}

interface StalledReader {
  /** For the program. */
  readonly end: number
  /** Resolves when the program has written something. Nothing else is read. */
  written(): Promise<void>
}

function stalledReader(): StalledReader {
  const path = namedPipe()
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const end = openSync(path, constants.O_WRONLY)
  onTestFinished(() => [reading, end].forEach((file) => closeSync(file)))
  const written = async (): Promise<void> => {
    await expect.poll(() => readSync(reading, Buffer.alloc(1))).toBe(1)
  }
  return { end, written }
}

interface Stalled {
  env: Record<string, string>
  /** The stream that nobody reads. */
  stream?: 'out' | 'err'
}

/** Runs the program until it waits for its reader. @returns its exit status after the signal. */
async function statusAfter(
  signal: NodeJS.Signals,
  argv: string[],
  { env, stream = 'out' }: Stalled,
): Promise<[code: number | null, signal: string | null]> {
  const reader = stalledReader()
  const stdio = stream === 'out' ? [reader.end, 'ignore' as const] : ['ignore' as const, reader.end]
  const child = spawn(node, [program, ...argv], { env, stdio: ['ignore', ...stdio] })
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  await reader.written()
  child.kill(signal)
  return exited
}

describe('nobody reads', () => {
  test('standard output when SIGINT arrives: the conversation has the part received', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const env = environment(service)
    void paced.send(long)
    expect(await statusAfter('SIGINT', ['chat', '--save', 'hi'], { env })).toEqual([130, null])
    expect(entriesIn(env.HOME ?? '', 'end')).toMatchObject([
      { error: 'interrupted', choices: [{ message: { content: long } }] },
    ])
  })

  test('standard error when SIGHUP arrives: the output file has the part received', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const folder = emptyFolder()
    void paced.send('Hello', delta({ reasoning_content: long }))
    const argv = ['chat', '--reasoning', '-o', join(folder, 'answer'), 'hi']
    expect(await statusAfter('SIGHUP', argv, { env: environment(service), stream: 'err' })).toEqual([129, null])
    expect(readFileSync(join(folder, 'answer.partial'), 'utf8')).toBe('Hello')
  })
})

test('SIGTERM while nobody reads a list', async () => {
  await using service = await startService(
    json({ data: Array.from({ length: 20_000 }, (_, index) => ({ id: `hf:model-${index}` })) }),
  )
  expect(await statusAfter('SIGTERM', ['models'], { env: environment(service) })).toEqual([143, null])
})

test('SIGTERM during -o to a named pipe that nobody opens', async () => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const env = environment(service)
  void paced.send('Hello')
  const child = spawn(node, [program, 'chat', '--save', '-o', namedPipe(), 'hi'], { env, stdio: 'ignore' })
  const exited = once(child, 'exit')
  await expect.poll(() => hasPart(env)).toBe(true)
  child.kill('SIGTERM')
  expect(await exited).toEqual([143, null])
})

test('a named pipe gets all of the output', async () => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const path = namedPipe()
  const child = spawn(node, [program, 'chat', '-o', path, 'hi'], { env: environment(service), stdio: 'ignore' })
  const exited = once(child, 'exit')
  void paced.finish(long)
  const read = await text(spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] }).stdout)
  expect({ exited: await exited, isWhole: read === `${long}\n` }).toEqual({ exited: [0, null], isWhole: true })
})

/** Whether a part of an answer is in the home's conversation. */
function hasPart(env: Record<string, string>): boolean {
  const { HOME: home = '' } = env
  return conversationFiles(home).length > 0 && entriesIn(home, 'part').length > 0
}

test('SIGINT while a terminal is stopped with Ctrl-S: the conversation has the part received', async () => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const env = environment(service)
  const screen = synOnTerminal(['chat', 'hi'], env, { asProcess: true })
  await paced.send('one ')
  await screen.until((lines) => lines.join('') === 'one')
  screen.type('\u0013')
  await paced.send('lo '.repeat(50_000))
  await expect.poll(() => entriesIn(env.HOME ?? '', 'part').length).toBeGreaterThan(1)
  screen.kill('SIGINT')
  expect(await screen.ended).toBe(130)
  expect(entriesIn(env.HOME ?? '', 'end')).toMatchObject([{ error: 'interrupted' }])
})
