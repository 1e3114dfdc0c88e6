/** Signals, suspending and crashes, also during an answer: the terminal is restored. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entriesIn } from '../helpers/conversations.ts'
import { chat, dialects } from '../helpers/dialects.ts'
import { environment, quoted, synCommand } from '../helpers/program.ts'
import { startService, type Answer } from '../helpers/service.ts'
import { status, expectTerminalRestored, type Guest } from '../helpers/shell.ts'
import { lastTextLine, openChat } from '../helpers/interactive-chat.ts'
import { byHand } from '../helpers/terminal.ts'

/** Starts the chat like a shell; its process writes its ID to a file. */
function guest(env: Record<string, string>): Guest & { kill(signal: NodeJS.Signals): void } {
  const file = join(env.HOME ?? '', 'pid')
  return {
    command: `sh -c ${quoted(`echo $$ > "$HOME/pid"; exec ${synCommand} chat`)}`,
    env,
    prompt: '›',
    columns: 40,
    kill: (signal) => void process.kill(Number(readFileSync(file, 'utf8')), signal),
  }
}

async function serving(answer: Answer, happens: (env: Record<string, string>) => Promise<void>): Promise<void> {
  await using service = await startService(answer)
  await happens(environment(service))
}

test('Ctrl-Z during an answer suspends it, and fg continues it', async () => {
  const paced = chat.paced()
  await serving(paced.answer, async (env) => {
    await expectTerminalRestored(guest(env), async (screen) => {
      screen.type('count\r')
      await paced.send('one two ')
      await screen.until((lines) => lastTextLine(lines) === 'one two')
      screen.type('next\u001a')
      await screen.until((lines) => lines.join('').includes('Stopped') && lines.at(-1) === '$')
      screen.type('fg\r')
      await paced.send('three four ')
      await screen.until((lines) => lastTextLine(lines) === 'one two three four')
      await paced.finish('five')
      await screen.until((lines) => lines.at(-1) === '› next')
      screen.type('!')
      await screen.until((lines) => lines.at(-1) === '› next!')
      expect(screen.lines().filter((line) => line.includes('one two'))).toEqual(['one two three four five'])
      screen.type('\u0015\u0004')
      await screen.until((lines) => lines.at(-1) === '$')
    })
  })
})

test('SIGTERM during an answer', async () => {
  const paced = chat.paced()
  await serving(paced.answer, async (env) => {
    const it = guest(env)
    const screen = await expectTerminalRestored(it, async (screen) => {
      screen.type('count\r')
      await paced.send('one two ')
      await screen.until((lines) => lastTextLine(lines) === 'one two')
      it.kill('SIGTERM')
      await status(screen, 143)
    })
    expect(screen.lines()).toContain('one two')
    expect(entriesIn(env.HOME ?? '', 'end')).toMatchObject([{ choices: [{ message: { content: 'one two ' } }] }])
  })
})

test('closing the terminal during an answer keeps the part received and what was typed', async () => {
  const paced = chat.paced()
  await using opened = await openChat([paced.answer], { asProcess: true })
  const { screen, home } = opened
  screen.type('count\r')
  await paced.send('one two ')
  await screen.until((lines) => lastTextLine(lines) === 'one two')
  screen.type(byHand('queued\rdraft'))
  await screen.until((lines) => lines.at(-1) === '» draft')
  screen.hangUp()
  await expect.poll(() => entriesIn(home, 'end')).toMatchObject([{ choices: [{ message: { content: 'one two ' } }] }])
  const history = (): string => readFileSync(join(home, '.local/share/syn/history.jsonl'), 'utf8')
  await expect.poll(history).toContain('"queued"\n\n"draft"\n')
})

test('an error that nothing caught, which does not end the chat', async () => {
  // The program has none to provoke; a signal handler throws one.
  const crash = `process.on('SIGUSR2', () => { throw new Error('crashed') })`
  await serving(chat.streamed('Hello'), async (env) => {
    const it = guest({ ...env, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(crash)}` })
    const screen = await expectTerminalRestored(it, async (screen) => {
      screen.type('text')
      await screen.until((lines) => lines.at(-1) === '› text')
      it.kill('SIGUSR2')
      await screen.until((lines) => lines.some((line) => line.includes('crashed')) && lines.at(-1) === '› text')
      screen.type('\u0003\u0004')
      await status(screen, 0)
    })
    expect(screen.written()).toMatch(/text[^]*crashed[^]*\u001b\[\?2004l[^]*status 0/)
  })
})

test.each(dialects)('kill -9 during an answer of $name: -c shows the part received', async (dialect) => {
  const paced = dialect.paced()
  await using killed = await openChat([paced.answer], { dialect, asProcess: true })
  killed.screen.type('count\r')
  await paced.send('one ', 'two ')
  await killed.screen.until((lines) => lastTextLine(lines) === 'one two')
  killed.screen.kill('SIGKILL')
  await killed.screen.ended
  await using again = await openChat([dialect.streamed('Hello')], {
    dialect,
    argv: ['-c'],
    env: { HOME: killed.home },
  })
  expect(again.linesBelow('continuing: count')).toEqual([
    '› count',
    '  one two',
    expect.stringContaining('incomplete'),
    '',
  ])
  await again.enter('go on')
  const { user, assistant } = dialect
  expect(again.sent()[0]).toMatchObject(
    dialect.conversation({ messages: [user('count'), assistant('one two '), user('go on')] }),
  )
})

test('requests of the status row that hang after their headers do not delay the exit', async () => {
  const paced = chat.paced()
  await using opened = await openChat([
    (asked, response) =>
      asked.method === 'POST' ? paced.answer(asked, response) : response.writeHead(200).flushHeaders(),
  ])
  const { screen, service } = opened
  screen.type('count\r')
  await paced.send('one two ')
  await screen.until((lines) => lastTextLine(lines) === 'one two')
  screen.type('\u001b')
  const asked = (): string[] => service.asked.map(({ path }) => path)
  await expect.poll(asked).toEqual(expect.arrayContaining(['/openai/v1/models', '/v2/quotas']))
  screen.type('\u0004')
  expect(await screen.ended).toBe(0)
})

test('a message that Ctrl-C stops before it is sent does not delay the exit', async () => {
  await using opened = await openChat([chat.streamed('Hello')], { asProcess: true })
  const { screen, service } = opened
  // In one read of the terminal, as after a moment in which the chat was busy.
  screen.type('count\r\u0003')
  await screen.until((lines) => lines.join('').includes('no answer') && lines.at(-1) === '›')
  screen.type('\u0004')
  expect(await screen.ended).toBe(0)
  expect(service.asked).toEqual([])
})
