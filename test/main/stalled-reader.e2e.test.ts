/** A signal ends a run whose output nobody reads, and what it received is kept. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { delta } from '../helpers/chat-chunks.ts'
import { conversationFiles, entriesIn, homeWithConversations } from '../helpers/conversations.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, node, program } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { share } from '../helpers/samples.ts'
import { json, startService, type Answer } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

/** More than a pipe or a terminal takes. */
const long = 'many words '.repeat(100_000)

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

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
  test.each(share(signals, 0, 3))(
    'standard output when %s arrives: the conversation has the part received',
    async (signal, code) => {
      const paced = new PacedAnswer()
      await using service = await startService(paced.answer)
      const env = environment(service)
      void paced.send(long)
      expect(await statusAfter(signal, ['chat', '--save', 'hi'], { env })).toEqual([code, null])
      expect(entriesIn(env.HOME ?? '', 'end')).toMatchObject([
        { error: 'interrupted', choices: [{ message: { content: long } }] },
      ])
    },
  )

  test.each(share(signals, 2, 3))(
    'standard error when %s arrives: the output file has the part received',
    async (signal, code) => {
      const paced = new PacedAnswer()
      await using service = await startService(paced.answer)
      const folder = emptyFolder()
      void paced.send('Hello', delta({ reasoning_content: long }))
      const argv = ['chat', '--reasoning', '-o', join(folder, 'answer'), 'hi']
      expect(await statusAfter(signal, argv, { env: environment(service), stream: 'err' })).toEqual([code, null])
      expect(readFileSync(join(folder, 'answer.partial'), 'utf8')).toBe('Hello')
    },
  )
})

const embeddings: Answer = (asked, response) => {
  const { input } = asked.json as { input: string[] }
  const data = input.map((_text, index) => ({ index, embedding: Array.from({ length: 50_000 }, () => 0.123456) }))
  void json({ data })(asked, response)
}
const models = json({ data: Array.from({ length: 20_000 }, (_, index) => ({ id: `hf:model-${index}` })) })
const block = { limit: 9, requests: 1, note: 'x'.repeat(200) }
const blocks = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`block${at}`, block]))

describe('SIGTERM while nobody reads standard output', () => {
  const writing: [argv: string[], answer: Answer][] = [
    [['embed', '-m', 'hf:one', 'one', 'two', 'three'], embeddings],
    [['models'], models],
    [['quota', '--watch', '--json'], json(blocks)],
  ]
  test.each(share(writing, 1, 3))('%j', async (argv, answer) => {
    await using service = await startService(answer)
    expect(await statusAfter('SIGTERM', argv, { env: environment(service) })).toEqual([143, null])
  })

  test('sessions export', async () => {
    const home = homeWithConversations({ id: '20261121-101500-aaaaaa', turns: [['hi', long]] })
    const env = { ...environment(), HOME: home }
    expect(await statusAfter('SIGTERM', ['sessions', 'export', '20261121'], { env })).toEqual([143, null])
  })
})

describe('SIGTERM during -o to a named pipe', () => {
  test('that nobody opens', async () => {
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

  test('that nobody reads', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const env = environment(service)
    void paced.send(long)
    const path = namedPipe()
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    onTestFinished(() => closeSync(reading))
    const child = spawn(node, [program, 'chat', '-o', path, 'hi'], { env, stdio: 'ignore' })
    const exited = once(child, 'exit')
    await expect.poll(() => readSync(reading, Buffer.alloc(1))).toBe(1)
    child.kill('SIGTERM')
    expect(await exited).toEqual([143, null])
  })
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

describe('a terminal that is stopped with Ctrl-S', () => {
  test.each(share(signals, 0, 3))('%s: the conversation has the part received', async (signal, code) => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const env = environment(service)
    const screen = synOnTerminal(['chat', 'hi'], env, { asProcess: true })
    await paced.send('one ')
    await screen.until((lines) => lines.join('') === 'one')
    screen.type('\u0013')
    await paced.send('lo '.repeat(50_000))
    await expect.poll(() => entriesIn(env.HOME ?? '', 'part').length).toBeGreaterThan(1)
    screen.kill(signal)
    expect(await screen.ended).toBe(code)
    expect(entriesIn(env.HOME ?? '', 'end')).toMatchObject([{ error: 'interrupted' }])
  })

  test.each(share(signals, 2, 3))('%s: quota --watch', async (signal, code) => {
    await using service = await startService(json({ subscription: { limit: 20, requests: 3 } }))
    const screen = synOnTerminal(['quota', '--watch', '1'], environment(service), { asProcess: true })
    await screen.until((lines) => lines.join('').includes('3 of 20'))
    screen.type('\u0013')
    const before = service.asked.length
    await expect.poll(() => service.asked.length).toBeGreaterThan(before)
    screen.kill(signal)
    expect(await screen.ended).toBe(code)
  })
})
