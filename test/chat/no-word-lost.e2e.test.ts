/** What was typed and not answered: it is in the history, in the line, or listed above it. */

import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { conversationsFolder, linesIn, sessions } from '../helpers/conversations.ts'
import { realPng } from '../helpers/images.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { quoted } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { json } from '../helpers/service.ts'
import { wide } from '../helpers/terminal.ts'

const hello = dialect.streamed('Hello')
const { user, assistant } = dialect
const up = '\u001b[A'
const ctrl = { c: '\u0003', e: '\u0005', x: '\u0018' }

test('a queued message is in the history at Enter, also after kill -9', async () => {
  const paced = dialect.paced()
  await using chat = await openChat([paced.answer], { asProcess: true })
  chat.screen.type('one\r')
  await paced.send('One')
  await chat.type('two\r', '»')
  const path = join(chat.home, '.local/share/syn/history.jsonl')
  await expect.poll(() => readFileSync(path, 'utf8')).toContain('"two"')
  chat.screen.kill('SIGKILL')
  await chat.screen.ended
  expect(readFileSync(path, 'utf8').split('\n').filter(Boolean)).toEqual(['"one"', '"two"'])
})

test('a draft that Ctrl-C clears is what Up shows, also if it was sent before', async () => {
  await using chat = await openChat([hello])
  await chat.enter('one')
  await chat.enter('two')
  await chat.type(`one${ctrl.c}`, '›')
  await chat.type(up, '› one')
  await chat.type(up, '› two')
})

describe('a conversation that is deleted elsewhere', () => {
  const deleted = 'this conversation was deleted or cut: a new one goes on from here'

  async function removeAll(home: string): Promise<void> {
    const { code, err } = await sessions(home, ['rm', '--yes', ...logs(home).map((name) => name.replace('.jsonl', ''))])
    expect({ code, err }).toEqual({ code: 0, err: expect.any(String) as string })
    expect(logs(home)).toEqual([])
  }

  function logs(home: string): string[] {
    return readdirSync(conversationsFolder(home)).filter((name) => name.endsWith('.jsonl') && !name.startsWith('.'))
  }

  test('the next message starts a new one with what was said, and says so once', async () => {
    await using chat = await openChat([hello])
    await chat.enter('one')
    const answeredAt = (): unknown => linesIn(chat.home).find(({ type }) => type === 'end')?.at
    const before = answeredAt()
    await removeAll(chat.home)
    await chat.enter('two')
    expect(chat.textBelow('› two')).toContain(deleted)
    expect(answeredAt()).toBe(before)
    await chat.enter('three')
    expect(chat.textBelow('› three')).not.toContain(deleted)
    expect(logs(chat.home)).toHaveLength(1)
    await using again = await openChat([hello], { argv: ['-c'], env: { HOME: chat.home } })
    await again.enter('four')
    const said = ['one', 'two', 'three'].flatMap((text) => [user(text), assistant('Hello')])
    expect(again.sent().at(-1)?.messages).toEqual([...said, user('four')])
  })

  test('so does a file that is replaced by a named pipe, which would block the process', async () => {
    await using chat = await openChat([hello])
    await chat.enter('one')
    const [name = ''] = logs(chat.home)
    const path = join(conversationsFolder(chat.home), name)
    rmSync(path)
    execFileSync('mkfifo', [path])
    await chat.enter('two')
    expect(chat.textBelow('› two')).toContain(deleted)
    rmSync(path)
    await using again = await openChat([hello], { argv: ['-c'], env: { HOME: chat.home } })
    await again.enter('three')
    const said = ['one', 'two'].flatMap((text) => [user(text), assistant('Hello')])
    expect(again.sent().at(-1)?.messages).toEqual([...said, user('three')])
  })

  test('/undo creates none', async () => {
    await using chat = await openChat([hello])
    await chat.enter('one')
    await chat.enter('two')
    await removeAll(chat.home)
    await chat.type('/undo\r', '› two')
    expect(logs(chat.home)).toEqual([])
    await chat.clear()
    await chat.enter('three')
    expect(chat.sent().at(-1)?.messages).toEqual([user('one'), assistant('Hello'), user('three')])
  })
})

describe('/undo puts back', () => {
  function folder(): string {
    const path = emptyFolder()
    writeFileSync(join(path, 'photo.png'), realPng)
    writeFileSync(join(path, 'notes.txt'), 'remember')
    return path
  }

  test('those of a continued conversation', async () => {
    await using chat = await openChat([hello], { folder: folder() })
    await chat.enter('/image photo.png')
    await chat.enter('look')
    const sent = chat.sent().at(-1)?.messages
    await using again = await openChat([hello], { argv: ['-c'], env: { HOME: chat.home } })
    await again.type('/undo\r', '[image 1] › look')
    again.screen.type('\r')
    await expect.poll(() => again.sent().length).toBe(1)
    expect(again.sent().at(-1)?.messages).toEqual(sent)
  })
})

test('Ctrl-X Ctrl-E opens the editor; Ctrl-X alone changes nothing', async () => {
  const editor = join(emptyFolder(), 'editor')
  writeFileSync(editor, '#!/bin/sh\nprintf edited >> "$1"\n')
  chmodSync(editor, 0o700)
  await using chat = await openChat([hello], { env: { EDITOR: quoted(editor) } })
  await chat.type(`draft${ctrl.x}${ctrl.e}`, '› draftedited')
  await chat.type(`\u0001${ctrl.x}x${ctrl.e}!`, '› xdraftedited!')
})

describe('/model', () => {
  const listed = { data: [{ id: 'hf:org/Model-One' }] }

  test.each([
    ['hf:org/Model-One', 'model: hf:org/Model-One'],
    ['hf:org/Model-On', 'model: hf:org/Model-On, which is not in the list of models (did you mean hf:org/Model-One?)'],
  ])('%s', async (name, expected) => {
    await using chat = await openChat([(_asked, response) => void response.end(JSON.stringify(listed))], {
      columns: wide,
    })
    await chat.enter(`/model ${name}`)
    expect(chat.textBelow('› /model')).toBe(expected)
  })
})

test.each([
  ['fails', '/quota'],
  ['is refused', '/model nope'],
  ['is unknown', '/modle hf:one'],
])('a command that %s does not come back: Up finds it, and what is typed next is no part of it', async (_how, line) => {
  await using chat = await openChat(line === '/quota' ? [json({ error: 'no' }, 404), hello] : [hello])
  await chat.type(`${line}\r`, '›')
  await chat.screen.until((lines) => lines.some((shown) => shown.startsWith('syn:')) && lines.at(-1) === '›')
  await chat.type(up, `› ${line}`)
  await chat.type('\u0015hello\r', '›')
  await chat.screen.until(() => chat.sent().length === 1)
  expect(chat.sent().at(-1)?.messages).toEqual([user('hello')])
})

describe('an editor', () => {
  test('gets Ctrl-C, and the draft is in the line again', async () => {
    // `exec`: a child of the shell that has not run its program yet would miss the signal.
    await using chat = await openChat([hello], { env: { EDITOR: 'printf EDITING; exec sleep 1000; :' } })
    await chat.type('some words', '› some words')
    chat.screen.type(`${ctrl.x}${ctrl.e}`)
    await chat.screen.until((lines) => lines.some((line) => line.includes('EDITING')))
    chat.screen.type(ctrl.c)
    await chat.screen.until(
      (lines) => lines.at(-2) === '› some words' && Boolean(lines.at(-1)?.endsWith('was killed by SIGINT')),
    )
    await chat.type(' more\r', '›')
    expect(chat.sent().at(-1)?.messages).toEqual([user('some words more')])
  })

  test('that fails leaves what it saved: in the line, or with /edit in the history', async () => {
    const env = { EDITOR: `sh -c 'printf ed >> "$1"; exit 1' sh` }
    await using chat = await openChat([hello], { env })
    await chat.type('draft', '› draft')
    chat.screen.type(`${ctrl.x}${ctrl.e}`)
    await chat.screen.until(
      (lines) => lines.at(-2) === '› drafted' && Boolean(lines.at(-1)?.endsWith('exited with status 1')),
    )
    await chat.type('\u001f', '› draft')
    await chat.type('\r', '›')
    chat.screen.type('/edit\r')
    await chat.screen.until((lines) => lines.some((line) => line.endsWith('status 1')) && lines.at(-1) === '›')
    await chat.type(up, '› drafted')
  })

  test('that saves no text: the error names the file, which stays', async () => {
    const folder = emptyFolder()
    await using chat = await openChat([hello], { columns: wide, env: { TMPDIR: folder, EDITOR: "printf '\\377' >" } })
    await chat.type('some words', '› some words')
    chat.screen.type(`${ctrl.x}${ctrl.e}`)
    await chat.screen.until((lines) => lines.at(-2) === '› some words' && lines.at(-1)?.includes('not UTF-8') === true)
    const file = join(folder, readdirSync(folder)[0] ?? '', 'message.md')
    expect(chat.screen.lines().at(-1)).toContain(file)
    expect(readFileSync(file)).toEqual(Buffer.from([0xff]))
    rmSync(dirname(file), { recursive: true })
  })
})
