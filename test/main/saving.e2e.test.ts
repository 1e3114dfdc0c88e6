/** Conversations of the built program: on a terminal, after signals, on a full disk. */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { conversationFiles, entriesIn } from '../helpers/conversations.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, shell, start, startSyn, synCommand } from '../helpers/program.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'
import { runSyn } from '../helpers/run-syn.ts'

const hello = events(chatAnswer(['Hel', 'lo']))

test('a conversation is saved on a terminal, and in a pipe only with an option', async () => {
  await using service = await startService(hello)
  const env = environment(service)
  const first = synOnTerminal(['chat', 'one'], env)
  expect({ code: await first.ended, lines: first.lines() }).toEqual({ code: 0, lines: ['Hello'] })
  expect(await shell('syn chat two | cat', env)).toMatchObject({ code: 0, out: 'Hello\n', err: '' })
  expect(await shell('syn chat -c three | cat', env)).toMatchObject({ code: 0, out: 'Hello\n', err: '' })
  expect(service.asked[2]?.json).toMatchObject({
    messages: [{ content: 'one' }, { content: 'Hello' }, { content: 'three' }],
  })
  expect(entriesIn(env.HOME ?? '', 'turn')).toHaveLength(2)
})

/** Kills a run after some pieces of its answer, and continues the conversation in the next run. */
async function afterSignal(
  signal: NodeJS.Signals,
  ...pieces: (string | object)[]
): Promise<{ home: string; messages: unknown; err: string }> {
  const paced = new PacedAnswer()
  let requests = 0
  await using service = await startService((asked, response) =>
    (requests++ === 0 ? paced.answer : hello)(asked, response),
  )
  const env = environment(service)
  const { HOME: home = '' } = env
  const { child, ended } = startSyn(['chat', '--save', 'one'], env)
  await paced.asked
  for (const [index, piece] of pieces.entries()) {
    await paced.send(piece)
    await expect.poll(() => entriesIn(home, 'part')).toHaveLength(index + 1)
  }
  child.kill(signal)
  await ended
  const { code, out, err } = await runSyn(['chat', '-c', 'two'], { env })
  expect({ code, out }).toEqual({ code: 0, out: 'Hello\n' })
  const [, second] = service.asked.map(({ json }) => json as { messages: unknown })
  return { home, messages: second?.messages, err }
}

const user = (content: string): object => ({ role: 'user', content })

describe('in the middle of an answer', () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)('%s: the part received is sent with the next message', async (signal) => {
    const { home, messages, err } = await afterSignal(signal, 'Once ', 'upon a', ' time')
    expect(err).toBe('')
    expect(messages).toEqual([user('one'), { role: 'assistant', content: 'Once upon a time' }, user('two')])
    const ends = entriesIn(home, 'end')
    expect(ends).toHaveLength(signal === 'SIGKILL' ? 1 : 2)
    if (signal === 'SIGKILL') return
    expect(ends[0]).toMatchObject({ error: 'interrupted', choices: [{ message: { content: 'Once upon a time' } }] })
  })

  test('SIGINT before the first word: the next message replaces it, and both are on the disk', async () => {
    const { home, messages, err } = await afterSignal('SIGINT', delta({ reasoning_content: 'Hm.' }))
    expect(err).toMatch(/^syn: the last message has no answer: this prompt replaces it/)
    expect(messages).toEqual([user('two')])
    expect(entriesIn(home, 'turn')).toEqual([{ messages: [user('one')] }, { messages: [user('two')] }])
    expect(JSON.stringify(entriesIn(home, 'end')[0])).toContain('Hm.')
  })
})

test('if the reader of the pipe exits, the part received is saved', async () => {
  const pieces = Array.from({ length: 5000 }, () => 'many words and more words ')
  await using service = await startService(streamed(...pieces, end()))
  const env = environment(service)
  await shell('syn chat --save hi | head -c 4', env)
  expect(entriesIn(env.HOME ?? '', 'end')).toMatchObject([
    { choices: [{ message: { content: expect.stringMatching(/^many words/) } }], error: 'the output was closed' },
  ])
})

test('parts that find no room do not cost the answer, whose end is smaller', async () => {
  const pieces = Array.from({ length: 40 }, (_, number) => `word ${number} `)
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const env = environment(service)
  const { ended, untilOut } = start('bash', ['-c', `trap '' XFSZ; ulimit -f 2; exec ${synCommand} chat --save hi`], env)
  for (const piece of pieces) {
    await paced.send(piece)
    await untilOut(piece)
  }
  await paced.finish(end())
  expect(await ended).toMatchObject({ code: 0, err: '' })
  expect((await runSyn(['sessions', 'show', await onlyId(env)], { env })).out).toContain(pieces.join('').trim())
  const names = readdirSync(dirname(conversationFiles(env.HOME ?? '')[0] ?? ''))
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([])
})

test('a full disk ends saving, but keeps the answer and what was saved before', async () => {
  const pieces = Array.from({ length: 200 }, (_, number) => `${number} and more words `)
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const env = environment(service)
  // A limit on the file size, in KiB, simulates a full disk.
  const line = `trap '' XFSZ; ulimit -f 1; exec ${synCommand} chat --save hi`
  const { ended, untilOut } = start('bash', ['-c', line], env)
  for (const piece of pieces) {
    await paced.send(piece)
    await untilOut(piece)
  }
  await paced.finish(end())
  const { code, out, err } = await ended
  expect({ code, out }).toEqual({ code: 1, out: `${pieces.join('')}\n` })
  expect(err).toMatch(/^syn: cannot save the conversation: file too large\n$/)
  const [path = ''] = conversationFiles(env.HOME ?? '')
  expect(readFileSync(path, 'utf8')).toMatch(/^\{"type":"conversation".+\n\{"type":"turn".+"content":"hi".+\n/)
  expect((await runSyn(['sessions'], { env })).out).toMatch(/^\S+\t[^\t]+\t1\t[^\t]*\thi\n$/)
  // The part that was written before the disk was full.
  expect(await runSyn(['sessions', 'show', await onlyId(env)], { env })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^User\nhi\n\nAssistant .+\n0 and more words 1 and more words .+\n\[incomplete: /),
  })
})

/** The id of the only conversation. */
async function onlyId(env: Record<string, string>): Promise<string> {
  const { out } = await runSyn(['sessions'], { env })
  return /^(\S+)\t.*\n$/.exec(out)?.[1] ?? out
}
