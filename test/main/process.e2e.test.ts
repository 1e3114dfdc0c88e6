/** The program as a process: broken pipes, signals, large output. */

import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { end, streamed } from '../helpers/chat-chunks.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, shell, start, startSyn, synCommand } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'
import { startWatchedServer } from '../helpers/watched-server.ts'

const hello = events(chatAnswer(['Hel', 'lo']))

describe('a pipe', () => {
  test('gets the answer and nothing else', async () => {
    await using service = await startService(hello)
    const line = 'printf "some text" | syn chat Summarize | cat'
    expect(await shell(line, environment(service))).toMatchObject({ code: 0, out: 'Hello\n', err: '' })
    expect(service.asked[0]?.json).toMatchObject({ messages: [{ content: 'Summarize\n\nsome text' }] })
  })

  test('whose reader exits ends the run with 141, without a message', async () => {
    const pieces = Array.from({ length: 5000 }, () => 'many words and more words ')
    await using service = await startService(streamed(...pieces, end()))
    const { out, err } = await shell('syn chat hi | head -c 4; echo " ${PIPESTATUS[0]}"', environment(service))
    expect({ out, err }).toEqual({ out: 'many 141\n', err: '' })
  })

  test('whose reader exits between two tokens ends the request, too', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const { ended } = start(
      'bash',
      ['-c', `${synCommand} chat hi | head -c 1; echo " \${PIPESTATUS[0]}"`],
      environment(service),
    )
    await paced.send('a')
    // Each token that follows meets a reader that may be gone already.
    let isClosed = false
    void paced.closed.then(() => (isClosed = true))
    await expect
      .poll(async () => {
        await paced.send('b')
        return isClosed
      })
      .toBe(true)
    expect(await ended).toMatchObject({ out: 'a 141\n', err: '' })
  })

  test('with a slow reader gets far more than 64 KiB complete', async () => {
    const text = Array.from({ length: 40_000 }, (_, line) => `line ${line}\n`).join('')
    await using service = await startService(streamed(...(text.match(/.{1,5000}/gs) ?? []), end()))
    const { code, out } = await shell('syn chat hi | { read -r first; echo "$first"; cat; }', environment(service))
    expect({ code, isWhole: out === text }).toEqual({ code: 0, isWhole: true })
  })
})

describe('a signal during an answer', () => {
  test('the part received is printed, the request is ended', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const { child, untilOut, ended } = startSyn(['chat', 'hi'], environment(service))
    await paced.send('Hel')
    await untilOut('Hel')
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 143, signal: null, out: 'Hel', err: '' })
    await paced.closed
  })

  test('with -o the part received is kept', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const folder = emptyFolder()
    const { child, ended } = startSyn(['chat', '-o', join(folder, 'answer'), 'hi'], environment(service))
    await paced.send('Hel')
    await expect.poll(() => readIfThere(join(folder, readdirSync(folder)[0] ?? ''))).toBe('Hel')
    child.kill('SIGINT')
    expect(await ended).toMatchObject({
      code: 130,
      out: '',
      err: `hint: the output so far is kept in ${join(folder, 'answer.partial')}\n`,
    })
    expect(readdirSync(folder)).toEqual(['answer.partial'])
  })

  test('while standard input is read', async () => {
    // The connection shows that it is read.
    await using server = await startWatchedServer({ isSecure: false })
    const connected = server.next()
    const { child, ended } = startSyn(['chat', '-'], { ...environment(), ...server.env }, ['pipe', 'pipe', 'pipe'])
    await connected
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 143, out: '', err: '' })
  })
})

/** The command lines of all processes, as in `ps`. */
function commandLines(): string {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.map((id) => readIfThere(`/proc/${id}/cmdline`).replaceAll('\0', ' ')).join('\n')
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

test('the key is in no command line', async ({ skip }) => {
  skip(!existsSync('/proc/self/cmdline'), '/proc')
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  // A unique key, because other tests, which run at the same time, have the usual one in a command line.
  const key = `sk-test-${randomUUID()}`
  const { untilOut, ended } = startSyn(['chat', 'hi'], { ...environment(service), SYN_API_KEY: key })
  await paced.send('Hel')
  await untilOut('Hel')
  const lines = commandLines()
  expect(lines).toContain('bin/syn.cjs')
  expect(lines).not.toContain(key)
  expect(service.asked[0]?.headers.authorization).toBe(`Bearer ${key}`)
  await paced.finish('lo', end())
  expect(await ended).toMatchObject({ code: 0, out: 'Hello\n' })
})
