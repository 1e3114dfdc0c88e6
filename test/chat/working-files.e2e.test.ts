/** The files that are offered after an `@`: which, how soon, and how new. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { chatCompleter } from '../../src/chat/completer.ts'
import { lineParser } from '../../src/chat/slash-commands/chat-line.ts'
import type { ChatState } from '../../src/chat/state.ts'
import type { Completer } from '../../src/terminal/line-editor/candidate-list.ts'
import { needsCommand } from '../helpers/installed.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

const previous = process.cwd()
afterEach(() => process.chdir(previous))

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

let now = 0
const io = { elapsed: () => now }
const { signal } = new AbortController()

/** A chat's completer in a folder. @returns what it offers for a text. */
function openIn(folder: string): (text: string) => ReturnType<Completer> {
  process.chdir(folder)
  const chat = {
    context: { io },
    offeredFiles: new Set(),
    textMentions: new Set(),
  } as unknown as ChatState
  const complete = chatCompleter(chat, lineParser(chat.context.io), signal)
  return (text) => complete(text, text.length)
}

const shownIn = async (completion: ReturnType<Completer>): Promise<string[]> =>
  ((await completion?.candidates) ?? []).map(({ text, shown = text }) => shown)

/** Until then, what was found so far is offered after 300 ms. */
async function untilRead(complete: (text: string) => ReturnType<Completer>): Promise<void> {
  await expect.poll(() => complete('@')?.candidates instanceof Promise).toBe(false)
}

async function listed(folder: string): Promise<string[]> {
  const complete = openIn(folder)
  await untilRead(complete)
  return shownIn(complete('@'))
}

test('what .gitignore excludes, as git reads it, from the root of the repository on', async () => {
  needsCommand('git')
  const root = emptyFolder()
  const text = ''
  write(root, {
    '.gitignore': '\ufeffdist\r\n*.log\n/only-top.txt\nsub/inner.txt\n!keep.log\n# no\n\\#odd\nspace\\ \n[a]x?/**/z\n',
    'a b[1]/.gitignore': '/x.txt\nq/y.txt\n*.tmp\n!*.log\n',
    'packages/x/.gitignore': '!dist\n',
    ...Object.fromEntries(
      [
        'dist/1.js packages/x/dist/2.js packages/y/dist/3.js only-top.txt packages/only-top.txt sub/inner.txt',
        'packages/sub/inner.txt 1.log keep.log packages/2.log #odd ax1/b/z ax1/z bx1/b/z packages/x/deep/a/b/c.txt',
      ].flatMap((line) => line.split(' ').map((name) => [name, text])),
    ),
    ...Object.fromEntries(
      ['x.txt', 'q/y.txt', 'r/q/y.txt', 'r/x.txt', '1.tmp', '2.log', 'space '].map((name) => [`a b[1]/${name}`, text]),
    ),
  })
  const git = (...argv: string[]): string => execFileSync('git', ['-C', root, ...argv], { encoding: 'utf8' })
  git('init', '-q')
  const all = git('ls-files', '-z', '--others', '--exclude-standard').split('\0')
  const expected = all.filter((name) => name !== '' && !name.endsWith('.gitignore'))
  expect([...(await listed(root))].sort()).toEqual(expected.sort())
  for (const below of ['packages/x', 'a b[1]/r', 'packages']) {
    const within = expected.filter((name) => name.startsWith(`${below}/`)).map((name) => name.slice(below.length + 1))
    expect([...(await listed(join(root, below)))].sort()).toEqual(within)
  }
})

test('no hidden file, no key, no name that a line cannot have, no link', async () => {
  const [root, outside] = [emptyFolder(), emptyFolder()]
  write(outside, { 'secret.txt': '' })
  const refused = [
    '.env',
    '.ssh/config',
    'id_rsa',
    'a/id_ed25519.pub',
    'a/server.pem',
    'TLS.KEY',
    'a\nb',
    'a\u001bb',
    'a\u202eb',
  ]
  write(
    root,
    Object.fromEntries([...refused, 'a/b.txt', 'z.txt', 'id_dir/c.txt', '日本.txt'].map((name) => [name, ''])),
  )
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff])]), '')
  execFileSync('mkfifo', [join(root, 'pipe')])
  for (const [name, target] of [
    ['inside', 'a/b.txt'],
    ['to-env', '.env'],
    ['to-key', 'id_rsa'],
    ['outside', join(outside, 'secret.txt')],
    ['folder', outside],
    ['loop', root],
    ['dangling', 'nothing'],
  ] as const)
    symlinkSync(target, join(root, name))
  expect(await listed(root)).toEqual(['z.txt', '日本.txt', 'a/b.txt', 'id_dir/c.txt'])
})

test('is read again after some seconds, and what was read before is shown meanwhile', async () => {
  const root = emptyFolder()
  write(root, { 'one.txt': '' })
  const complete = openIn(root)
  const list = (): Promise<string[]> => shownIn(complete('@'))
  await untilRead(complete)
  expect(await list()).toEqual(['one.txt'])
  write(root, { 'two.txt': '' })
  expect(await list()).toEqual(['one.txt'])
  now += 5000
  expect(await list()).toEqual(['one.txt'])
  await expect.poll(list).toEqual(['one.txt', 'two.txt'])
  rmSync(root, { recursive: true })
  now += 5000
  await expect.poll(list).toEqual([])
})
