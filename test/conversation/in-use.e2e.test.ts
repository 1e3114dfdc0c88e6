/** A conversation in which another process is answering: its answer is sent whole, or nothing is. */

import { expect, test } from 'vitest'
import { chat } from '../helpers/dialects.ts'
import { environment, type Running, startSyn } from '../helpers/program.ts'
import { startService } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

interface Other {
  readonly env: Record<string, string>
  readonly process: Running
  finish(): Promise<void>
}

/** @param work Happens while the answer `one two` has begun. @returns the texts of the later requests. */
async function duringAnswer(work: (other: Other) => Promise<void>): Promise<string[]> {
  const paced = chat.paced()
  await using service = await startService(paced.answer, chat.streamed('Next.'))
  const env = environment(service)
  const process = startSyn(['chat', '--session', 'x', 'count'], env)
  await paced.send('one ')
  await process.untilOut('one')
  await work({ env, process, finish: () => paced.finish('two') })
  process.child.kill('SIGKILL')
  const sent = service.asked.slice(1).filter(({ method }) => method === 'POST')
  return sent.flatMap(({ json }) =>
    (json as { messages: { content: string }[] }).messages.map(({ content }) => content),
  )
}

const notice = 'another syn process is answering in this conversation'
const next = ['chat', '--session', 'x', 'and?']
const whole = ['count', 'one two', 'and?']

test.concurrent('a prompt waits, and the whole answer is sent', async () => {
  const sent = await duringAnswer(async ({ env, finish }) => {
    const waiting = startSyn(next, env)
    await waiting.untilErr(notice)
    await finish()
    expect(await waiting.ended).toMatchObject({
      code: 0,
      out: 'Next.\n',
      err: expect.not.stringContaining('branch') as string,
    })
  })
  expect(sent).toEqual(whole)
})

test.concurrent('after --timeout nothing is sent, as long as the other one lives', async () => {
  const sent = await duringAnswer(async ({ env }) => {
    const ended = await startSyn([...next, '--timeout', '6.5'], env).ended
    expect(ended).toMatchObject({ code: 6, out: '' })
    expect(ended.err).toMatch(/still answering in this conversation\nhint: nothing was sent; .*\n$/)
  })
  expect(sent).toEqual([])
})

test.concurrent('the half of a killed one is sent after 5 s', async () => {
  const sent = await duringAnswer(async ({ env, process }) => {
    process.child.kill('SIGKILL')
    expect(await startSyn(next, env).ended).toMatchObject({ code: 0, out: 'Next.\n' })
  })
  expect(sent).toEqual(['count', 'one ', 'and?'])
})

test.concurrent('in the chat, Esc returns the message to the line; sent again, it follows the whole answer', async () => {
  const sent = await duringAnswer(async ({ env, finish }) => {
    const screen = synOnTerminal(['chat', '--session', 'x'], { ...env, COLORFGBG: '15;0' })
    await screen.until((lines) => lines.some((line) => line.startsWith('›')))
    screen.type('and?\r')
    await screen.until((lines) => lines.some((line) => line.includes(notice)))
    screen.type('\u001b')
    await screen.until((lines) => lines.includes('stopped') && lines.some((line) => line === '› and?'))
    screen.type('\r')
    await finish()
    await screen.until((lines) => lines.includes('Next.'))
    screen.type('\u0004')
    await screen.ended
  })
  expect(sent).toEqual(whole)
})
