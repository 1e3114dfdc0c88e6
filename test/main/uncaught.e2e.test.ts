/** An error that nothing could catch, as from a callback of a socket: one line, the text kept, and in the chat only the turn ends. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openChat } from '../helpers/interactive-chat.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, startSyn } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'
import { startWatchedServer } from '../helpers/watched-server.ts'

/** Makes a process throw at this signal. */
const signal = 'SIGUSR2'

/** The environment of a process that runs this before the program. */
function preloading(script: string): { NODE_OPTIONS: string } {
  const preload = join(emptyFolder(), 'preload.cjs')
  writeFileSync(preload, script)
  return { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` }
}

const thrown = preloading(`process.on('${signal}', () => { throw new Error('boom') })`)
const rejected = preloading(`process.on('${signal}', () => void Promise.reject(new Error('boom')))`)
const hint = 'hint: this is a bug in syn; run the command again with --debug for a stack trace\n'
const hello = events(chatAnswer(['Hel', 'lo']))

test.each([
  ['an exception', thrown],
  ['a rejection', rejected],
])('%s ends an answer as a lost connection does', async (_what, env) => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const folder = emptyFolder()
  const argv = ['chat', '-o', join(folder, 'answer'), 'hi']
  const { child, ended } = startSyn(argv, { ...environment(service), ...env })
  await paced.send('Hel')
  await expect.poll(() => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['Hel'])
  child.kill(signal)
  const { code, out, err } = await ended
  expect({ code, out }).toEqual({ code: 7, out: '' })
  expect(err).toMatch(
    /^syn: the answer was cut short: internal error: boom\nhint: this is a bug in syn.*answer\.partial\n$/,
  )
  expect(readFileSync(join(folder, 'answer.partial'), 'utf8')).toBe('Hel')
})

test('before the answer the request is sent again', async () => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer, hello)
  const { child, ended } = startSyn(['chat', 'hi'], { ...environment(service), ...thrown })
  await paced.asked
  child.kill(signal)
  expect(await ended).toMatchObject({
    code: 0,
    out: 'Hello\n',
    err: expect.stringMatching(/^syn: internal error: boom; retrying in \d\.\d s \(1 of 3\)\n$/) as string,
  })
})

test('without a request the run ends with 1', async () => {
  // The connection shows that standard input is read.
  await using server = await startWatchedServer({ isSecure: false })
  const connected = server.next()
  const env = { ...environment(), ...server.env, ...thrown }
  const { child, ended } = startSyn(['chat', '-'], env, ['pipe', 'pipe', 'pipe'])
  await connected
  child.kill(signal)
  expect(await ended).toMatchObject({ code: 1, out: '', err: `syn: internal error: boom\n${hint}` })
})

describe('in the chat', () => {
  test('it ends the turn, and the next one is answered', async () => {
    const paced = new PacedAnswer()
    await using chat = await openChat([paced.answer, hello], { env: thrown })
    const { screen } = chat
    screen.type('hi\r')
    await paced.send('one ')
    await screen.until((lines) => lines.includes('one'))
    screen.kill(signal)
    // Typed before the prompt is there, the next message would be taken for answered when it comes.
    await screen.until((lines) => lines.some((line) => line.includes('is kept')) && lines.at(-1) === '›')
    expect(screen.lines().join(' ')).toContain('syn: the answer was cut short: internal error: boom')
    expect(screen.lines().join(' ')).toContain('the partial answer is kept')
    await chat.enter('again')
    expect(chat.textBelow('again')).toContain('Hello')
  })
})

test('an answer that is complete stays complete', async () => {
  await using service = await startService(hello)
  const late = preloading(`process.once('beforeExit', () => { throw new Error('late') })`)
  const { ended } = startSyn(['chat', 'hi'], { ...environment(service), ...late })
  expect(await ended).toMatchObject({ code: 0, out: 'Hello\n', err: '' })
})

test('a run that waits for what never comes does not end without a word', async () => {
  await using service = await startService(hello)
  const deaf = preloading(`require('node:net').Socket.prototype.connect = function () { return this.unref() }`)
  const { ended } = startSyn(['chat', '--timeout', '0', 'hi'], { ...environment(service), ...deaf })
  expect(await ended).toMatchObject({
    code: 1,
    out: '',
    err: 'syn: internal error: the run ended before it was complete\n',
  })
})
