/** `--output`: the file is either unchanged or complete; the received part of an interrupted answer is kept next to it. */

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  createReadStream,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { chat, refusalOf } from '../../helpers/chat.ts'
import { cut, delta, end, streamed } from '../../helpers/chat-chunks.ts'
import { environment, quoted, shell } from '../../helpers/program.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { json, type Answer } from '../../helpers/service.ts'
import { needsPermissions } from '../../helpers/modes.ts'

function read(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

describe('a complete answer', () => {
  test('is only in the file', async () => {
    const folder = emptyFolder()
    expect(await chat(['-o', join(folder, 'answer'), 'hi'])).toMatchObject({ code: 0, out: '', err: '' })
    expect(read(folder)).toEqual({ answer: 'Hello\n' })
  })

  test('replaces the old content, and keeps the mode', async () => {
    const file = join(emptyFolder(), 'answer')
    writeFileSync(file, 'a much longer text than the answer is')
    chmodSync(file, 0o666)
    await chat(['-o', file, 'hi'])
    expect({ text: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 }).toEqual({
      text: 'Hello\n',
      mode: 0o666,
    })
  })

  test('a link is kept, also a dangling one, and its target gets the answer', async () => {
    const folder = emptyFolder()
    mkdirSync(join(folder, 'real'))
    writeFileSync(join(folder, 'real', 'target'), 'old')
    symlinkSync('real/target', join(folder, 'link'))
    for (const isDangling of [false, true]) {
      if (isDangling) rmSync(join(folder, 'real', 'target'))
      await chat(['-o', join(folder, 'link'), 'hi'])
      expect(readlinkSync(join(folder, 'link'))).toBe('real/target')
      expect(read(join(folder, 'real'))).toEqual({ target: 'Hello\n' })
    }
  })
})

describe('an interrupted answer', () => {
  const cutShort = 'syn: the answer was cut short: the stream ended before the answer was complete\n'
  test('is kept as FILE.partial, and the file is unchanged', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'answer')
    writeFileSync(file, 'old')
    const { code, err } = await chat(['-o', file, 'hi'], { answer: cut('Hel', 'lo') })
    expect({ code, err }).toEqual({ code: 7, err: `${cutShort}hint: the output so far is kept in ${file}.partial\n` })
    expect(read(folder)).toEqual({ answer: 'old', 'answer.partial': 'Hello' })
  })

  test.each<[title: string, argv: string[], answer: Answer, partial: string]>([
    ['of code the whole text', ['-x'], cut('Here:\n```sh\nls'), 'Here:\n```sh\nls\n'],
    ['that does not fit its schema', ['--schema', '{"type":"array"}'], streamed('{}', end()), '{}\n'],
  ])('%s is kept too', async (_title, argv, answer, partial) => {
    const folder = emptyFolder()
    const { code, err } = await chat([...argv, '-o', join(folder, 'answer'), 'hi'], { answer })
    expect(code).not.toBe(0)
    expect(err).toContain(`the output so far is kept in ${join(folder, 'answer.partial')}`)
    expect(read(folder)).toEqual({ 'answer.partial': partial })
  })

  test('an answer that never started leaves no file, and does not remove an earlier FILE.partial', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'answer.partial'), 'earlier')
    const { code } = await chat(['-o', join(folder, 'answer'), 'hi'], { answer: json({ error: 'no' }, 400) })
    expect(code).toBe(1)
    expect(read(folder)).toEqual({ 'answer.partial': 'earlier' })
  })
})

describe('a device or a pipe is written in place', () => {
  test('/dev/full reports why it failed', async () => {
    const { code, err } = await chat(['-o', '/dev/full', 'hi'])
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^syn: cannot write \/dev\/full: .*no space left.*\n/),
    })
  })

  test('a named pipe', async () => {
    const pipe = join(emptyFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const received = text(createReadStream(pipe))
    expect(await chat(['-o', pipe, 'hi'], { answer: streamed(delta('Hel'), 'lo', end()) })).toMatchObject({
      code: 0,
      out: '',
    })
    expect(await received).toBe('Hello\n')
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })
})

test('a read-only folder is refused before anything is sent', async (context) => {
  needsPermissions(context)
  const folder = emptyFolder()
  chmodSync(folder, 0o500)
  expect(await refusalOf(['-o', join(folder, 'answer'), 'hi'])).toBe(
    `--output: cannot write ${join(folder, 'answer')}: permission denied`,
  )
})

test('a read-only file is unchanged', async (context) => {
  needsPermissions(context)
  const file = join(emptyFolder(), 'answer')
  writeFileSync(file, 'old', { mode: 0o444 })
  expect(await refusalOf(['-o', file, 'hi'])).toBe(`--output: cannot write ${file}: permission denied`)
  expect(readFileSync(file, 'utf8')).toBe('old')
})

describe('the input', () => {
  test.each(['chat', 'embed'])('of %s is not replaced', async (command) => {
    const file = join(emptyFolder(), 'notes.csv')
    writeFileSync(file, 'text\nhello\n')
    const { code, err } = await runSyn([command, '--sandbox', '-f', file, '-o', file])
    const error = `syn: --output: ${file} is the input, which would be lost\nhint: write to another file\n`
    expect({ code, err, text: readFileSync(file, 'utf8') }).toEqual({ code: 2, err: error, text: 'text\nhello\n' })
  })

  test('on standard input is not replaced, either', async () => {
    const file = join(emptyFolder(), 'notes.txt')
    writeFileSync(file, 'text\nhello\n')
    const { code, err } = await shell(`syn chat --sandbox Hi -o ${quoted(file)} < ${quoted(file)}`, environment())
    expect({ code, text: readFileSync(file, 'utf8') }).toEqual({ code: 2, text: 'text\nhello\n' })
    expect(err).toContain('is the input')
  })
})

describe('files next to the target', () => {
  test('no FILE.partial is overwritten; a complete answer removes what earlier ones left, unless it was changed', async () => {
    const folder = emptyFolder()
    const env = { HOME: emptyFolder() }
    const argv = ['-o', join(folder, 'answer'), 'hi']
    const precious = { 'answer.partial': 'precious' }
    writeFileSync(join(folder, 'answer.partial'), 'precious')
    for (const left of ['answer.partial-2', 'answer.partial-3']) {
      const { err } = await chat(argv, { env, answer: cut('Hel') })
      expect(err).toContain(`the output so far is kept in ${join(folder, left)}`)
    }
    expect(read(folder)).toEqual({ ...precious, 'answer.partial-2': 'Hel', 'answer.partial-3': 'Hel' })
    writeFileSync(join(folder, 'answer.partial-2'), 'edited')
    expect(await chat(argv, { env })).toMatchObject({ code: 0, err: '' })
    expect(read(folder)).toEqual({ ...precious, answer: 'Hello\n', 'answer.partial-2': 'edited' })
  })

  test('two runs at once leave one complete answer', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'answer')
    const answers = ['one ', 'two '].map((word) =>
      streamed(...Array.from({ length: 200 }, () => delta({ content: word })), end()),
    )
    const outcomes = await Promise.all(answers.map((answer) => chat(['-o', file, 'hi'], { answer })))
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
    expect(Object.keys(read(folder))).toEqual(['answer'])
    expect(read(folder).answer).toMatch(/^(one ){200}\n$|^(two ){200}\n$/)
  })
})
