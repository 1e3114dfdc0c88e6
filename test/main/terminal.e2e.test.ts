/** `syn chat` on a real terminal. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, quoted, synCommand } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, type Answer } from '../helpers/service.ts'
import { draw, type DrawOptions } from '../helpers/draw.ts'
import type { Picture } from '../helpers/picture.ts'
import { onTerminal, synOnTerminal } from '../helpers/terminal.ts'

interface Asking extends DrawOptions {
  answer?: Answer
}

/** Runs the program to its end. */
async function shown(
  argv: string[],
  { answer, env, ...options }: Asking = {},
): Promise<{ code: number; screen: Picture }> {
  await using service = await startService(answer ?? events(chatAnswer(['Hel', 'lo'])))
  const screen = await draw(['chat', ...argv], { ...options, env: { ...service.env, ...env } })
  return { code: screen.code, screen }
}

describe('an answer that takes its time', () => {
  test('a spinner is shown until the first token and erased; tokens appear as they arrive', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const screen = synOnTerminal(['chat', 'hi'], environment(service))
    await screen.until((lines) => /^\S waiting for the answer$/.test(lines.join('\n')))
    await paced.send('one ')
    await screen.until((lines) => lines.join('\n') === 'one')
    await paced.send('two\n')
    await screen.until((lines) => lines.join('\n') === 'one two')
    await paced.finish('\nthree', end())
    expect(await screen.ended).toBe(0)
    expect(screen.lines()).toEqual(['one two', '', 'three'])
  })

  test('a terminal without a width gets no spinner', async () => {
    await using service = await startService(json({ error: 'busy' }, 503, { 'retry-after': '0.5' }))
    const line = `stty cols 0; exec ${synCommand} chat --retries 1 hi`
    const screen = onTerminal('bash', ['-c', line], environment(service))
    expect(await screen.ended).toBe(6)
    expect(screen.written()).not.toContain('waiting for')
  })

  test('a notice meanwhile is on a separate line', async () => {
    const [first, paced] = [lateFailure(), new PacedAnswer()]
    let attempts = 0
    await using service = await startService((asked, response) =>
      (attempts++ === 0 ? first.answer : paced.answer)(asked, response),
    )
    const screen = synOnTerminal(['chat', 'hi'], environment(service))
    // The spinner is visible when the first attempt fails.
    await screen.until((lines) => lines.join('').includes('waiting'))
    await first.asked
    first.fail()
    await paced.finish('Hello', end())
    expect(await screen.ended).toBe(0)
    expect(screen.lines()).toEqual([
      expect.stringMatching(/^syn: busy \(503 .*\); retrying in \d\.\d s \(1 of 3\)$/),
      'Hello',
    ])
  })

  test('Ctrl-C ends it with 130, and the part received stays on the screen', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const screen = synOnTerminal(['chat', 'hi'], environment(service), { asProcess: true })
    await paced.send('one ')
    await screen.until((lines) => lines.join('') === 'one')
    screen.type('\u0003')
    expect(await screen.ended).toBe(130)
    await paced.closed
    expect(screen.lines()).toEqual(['one^C'])
  })

  test('the spinner is drawn without color, even if CI is set', async () => {
    const env = { NO_COLOR: '1', CI: 'true' }
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const screen = synOnTerminal(['chat', 'hi'], { ...environment(service), ...env }, { asProcess: true })
    await screen.until((lines) => lines.join('').includes('waiting'))
    expect(screen.written().includes('\u001b[36m')).toBe(false)
    await paced.finish('Hello', end())
    expect(await screen.ended).toBe(0)
    expect(screen.lines()).toEqual(['Hello'])
  })

  test('TERM=dumb: no spinner, however long it takes', async () => {
    // The wait between two attempts is longer than the delay of the spinner.
    await using service = await startService(json({ error: 'busy' }, 503), events(chatAnswer(['Hello'])))
    const screen = synOnTerminal(['chat', 'hi'], environment(service), { term: 'dumb' })
    expect(await screen.ended).toBe(0)
    expect(screen.written()).toMatch(/^syn: busy .*\r\nHello\r\n$/)
  })
})

/** Fails on request. */
function lateFailure(): { answer: Answer; asked: Promise<void>; fail: () => void } {
  let fail = (): void => undefined
  let isAsked = (): void => undefined
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const answer: Answer = (request, response) => {
    fail = () => void json({ error: 'busy' }, 503)(request, response)
    isAsked()
  }
  return { answer, asked, fail: () => fail() }
}

describe('colors', () => {
  const thinking = streamed(delta({ reasoning_content: 'Let me think.' }), 'Hello', end())

  test('reasoning is dimmed, before the answer', async () => {
    const { screen } = await shown(['hi'], { answer: thinking })
    expect(screen.lines()).toEqual(['Let me think.', '', 'Hello'])
    expect(screen.cellOf('Let').isDim()).toBeTruthy()
    expect(screen.cellOf('Hello').isDim()).toBeFalsy()
  })

  test.each<[title: string, argv: string[], asking: Asking]>([
    ['--no-color', ['--no-color'], {}],
    ['TERM=dumb', [], { term: 'dumb' }],
    ['FORCE_COLOR=0', [], { env: { FORCE_COLOR: '0' } }],
  ])('%s: no colors', async (_title, argv, asking) => {
    const { screen } = await shown([...argv, 'hi'], { ...asking, answer: thinking })
    // oxlint-disable-next-line no-control-regex
    expect(screen.written()).not.toMatch(/\u001b\[[\d;]*m/)
  })

  test('--color overrides NO_COLOR', async () => {
    const { screen } = await shown(['--color', 'hi'], { answer: thinking, env: { NO_COLOR: '1' } })
    expect(screen.cellOf('Let').isDim()).toBeTruthy()
  })
})

describe('only one of the streams is a terminal', () => {
  test.each<[line: string, seen: string[], file: string]>([
    ['syn chat hi > FILE', ['Let me think.'], 'Hello\n'],
    ['syn chat --reasoning hi 2> FILE', ['Hello'], 'Let me think.\n\n'],
  ])('%s', async (line, seen, file) => {
    await using service = await startService(streamed(delta({ reasoning_content: 'Let me think.' }), 'Hello', end()))
    const path = join(emptyFolder(), 'file')
    const command = line.replace('syn', () => synCommand).replace('FILE', () => quoted(path))
    const screen = onTerminal('sh', ['-c', command], environment(service))
    expect(await screen.ended).toBe(0)
    expect(screen.lines()).toEqual(seen)
    expect(readFileSync(path, 'utf8')).toBe(file)
  })
})

test('--json without a prompt: exit 2 with advice', async () => {
  const { code, screen } = await shown(['--json'])
  expect({ code, lines: screen.lines() }).toEqual({
    code: 2,
    lines: [
      'syn: no prompt: give it as arguments or on standard input',
      'hint: for example: syn chat "Say hello in three languages"',
    ],
  })
})
