/** The program as a process: broken pipes, signals, full disks, closed streams, large output. */

import { randomUUID } from 'node:crypto'
import { existsSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { end, streamed } from '../helpers/chat-chunks.ts'
import { needs } from '../helpers/installed.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, shell, start, startSyn, synCommand } from '../helpers/program.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { share } from '../helpers/samples.ts'
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

  test("gets the sandbox's answer as text, and the same through jq", async (context) => {
    needs('jq')(context)
    const plain = await runSyn(['chat', '--sandbox', 'Summarize'], { stdin: 'some text' })
    const json = await shell(
      'printf "some text" | syn chat --sandbox --json Summarize | jq -r ".choices[0].message.content"',
      environment(),
    )
    expect({ code: plain.code, err: plain.err, isEmpty: plain.out === '' }).toEqual({
      code: 0,
      err: '',
      isEmpty: false,
    })
    expect(json).toMatchObject({ code: 0, out: plain.out, err: '' })
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

  test.each(share(['--json', '--jsonl', '-x'], 1, 3))(
    'closed before the answer starts: 141 with %s, too',
    async (flag) => {
      await using service = await startService(streamed('```\nls\n```', end()))
      const { out, err } = await shell(`syn chat ${flag} hi | true; echo "\${PIPESTATUS[0]}"`, environment(service))
      expect({ out, err }).toEqual({ out: '141\n', err: '' })
    },
  )

  test('with a slow reader gets far more than 64 KiB complete', async () => {
    const text = Array.from({ length: 40_000 }, (_, line) => `line ${line}\n`).join('')
    await using service = await startService(streamed(...(text.match(/.{1,5000}/gs) ?? []), end()))
    const { code, out } = await shell('syn chat hi | { read -r first; echo "$first"; cat; }', environment(service))
    expect({ code, isWhole: out === text }).toEqual({ code: 0, isWhole: true })
  })
})

describe('a signal during an answer', () => {
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const
  test.each(share(signals, 1, 3))(
    '%s: exit %i, the part received is printed, the request is ended',
    async (signal, code) => {
      const paced = new PacedAnswer()
      await using service = await startService(paced.answer)
      const { child, untilOut, ended } = startSyn(['chat', 'hi'], environment(service))
      await paced.send('Hel')
      await untilOut('Hel')
      child.kill(signal)
      expect(await ended).toEqual({ code, signal: null, out: 'Hel', err: '' })
      await paced.closed
    },
  )

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

  test('that comes twice, as from timeout or npx, is one signal: the part received is kept in one file', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const folder = emptyFolder()
    const { child, ended } = startSyn(['chat', '-o', join(folder, 'answer'), 'hi'], environment(service))
    await paced.send('Hel')
    await expect.poll(() => readIfThere(join(folder, readdirSync(folder)[0] ?? ''))).toBe('Hel')
    // Two different ones: of two that are the same, the system may deliver one.
    child.kill('SIGTERM')
    child.kill('SIGINT')
    expect((await ended).err).toContain('is kept in')
    expect(readdirSync(folder)).toEqual(['answer.partial'])
  })

  test('before the first token nothing is printed', async () => {
    const paced = new PacedAnswer()
    await using service = await startService(paced.answer)
    const { child, ended } = startSyn(['chat', 'hi'], environment(service))
    await paced.asked
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 130, signal: null, out: '', err: '' })
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

describe('streams that fail', () => {
  test('standard output on a full disk: exit 1 with an error', async () => {
    await using service = await startService(hello)
    const { ended } = startSyn(['chat', 'hi'], environment(service), ['ignore', openSync('/dev/full', 'w'), 'pipe'])
    expect(await ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^syn: cannot write to standard output: .*no space left.*\n$/i),
    })
  })

  test('/dev/null as standard input', async () => {
    await using service = await startService(hello)
    const ended = await shell('syn chat hi < /dev/null', environment(service))
    expect(ended).toMatchObject({ code: 0, out: 'Hello\n', err: '' })
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
