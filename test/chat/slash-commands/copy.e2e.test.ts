/** /copy: what is copied, and which way. */

import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat as dialect } from '../../helpers/dialects.ts'
import { openChat, type InteractiveChat } from '../../helpers/interactive-chat.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json } from '../../helpers/service.ts'
import { wide } from '../../helpers/terminal.ts'

/** What the programs do once they have written into a file their arguments, the text, and the variables of syn that they got. */
const behaviors = {
  works: '',
  fails: 'process.exit(1)',
  /** Goes on in the background with the streams that it got, as xclip does. */
  stays: `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit', detached: true }).unref()`,
  hangs: 'setInterval(() => {}, 1000)',
  /** Exits without reading its input. */
  closes: undefined,
} as const

type Programs = Partial<Record<'tmux' | 'wl-copy' | 'xclip' | 'xsel', keyof typeof behaviors>>

function folderWith(programs: Programs): { path: string; copied(): Record<string, unknown> } {
  const path = emptyFolder()
  mkdirSync(join(path, 'bin'))
  // The terminal of the tests needs it.
  symlinkSync('/bin/sleep', join(path, 'bin', 'sleep'))
  for (const [name, behavior] of Object.entries(programs)) {
    const file = join(path, 'bin', name)
    const done = behaviors[behavior]
    const read = `
let text = ''
process.stdin.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => {
  const own = Object.keys(process.env).filter((name) => /^syn_/i.test(name))
  require('node:fs').writeFileSync(${JSON.stringify(`${file}.json`)}, JSON.stringify([...process.argv.slice(2), text, ...own]))
  console.log('output of ${name}')
  ${done ?? ''}
})`
    writeFileSync(file, `#!${process.execPath}\n${done === undefined ? 'process.exit(0)' : read}\n`)
    chmodSync(file, 0o755)
  }
  const copied = () =>
    Object.fromEntries(
      Object.keys(programs).flatMap((name) => {
        const file = join(path, 'bin', `${name}.json`)
        return existsSync(file) ? [[name, JSON.parse(readFileSync(file, 'utf8')) as unknown]] : []
      }),
    )
  return { path, copied }
}

/** The texts written by OSC 52. */
function byTerminal({ screen }: InteractiveChat): string[] {
  return [...screen.written().matchAll(/\u001b\]52;c;([^\u0007]*)\u0007/g)].map(([, text = '']) =>
    Buffer.from(text, 'base64').toString(),
  )
}

const display = { DISPLAY: ':0' }
const answer = 'Größe **42** $x^2$\n'
const osc = 'by OSC 52, if the terminal allows clipboard access'
const xclip = ['-selection', 'clipboard', answer]

const ways: [programs: Programs, env: Record<string, string>, how: string, copied: object][] = [
  [
    { tmux: 'works', xclip: 'works' },
    { TMUX: 'x', ...display },
    "to tmux's buffer",
    { tmux: ['load-buffer', '-w', '-', answer] },
  ],
  [
    { 'wl-copy': 'works', xclip: 'works' },
    { WAYLAND_DISPLAY: 'wayland-0', ...display },
    'with wl-copy',
    { 'wl-copy': [answer] },
  ],
  [{ xclip: 'stays' }, display, 'with xclip', { xclip }],
  [{ xclip: 'fails', xsel: 'works' }, display, 'with xsel', { xclip, xsel: ['--clipboard', '--input', answer] }],
  [{ xclip: 'closes' }, display, 'with xclip', {}],
  [{ xclip: 'works', 'wl-copy': 'works', tmux: 'works' }, {}, osc, {}],
  [{ xclip: 'works' }, { ...display, SSH_CONNECTION: '::1 1 ::1 22' }, osc, {}],
  [{ tmux: 'fails' }, { TMUX: 'x' }, `${osc} (tmux failed)`, { tmux: ['load-buffer', '-w', '-', answer] }],
  [{ xclip: 'hangs', xsel: 'works' }, display, `${osc} (xclip did not end within 2 s)`, { xclip }],
]

test.concurrent.each(ways)('%o with %o: copied %s', async (programs, env, how, copied) => {
  const folder = folderWith(programs)
  const path = join(folder.path, 'bin')
  await using chat = await openChat([dialect.streamed(answer)], { columns: wide, env: { ...env, PATH: path } })
  await chat.enter('hi')
  await chat.enter('/copy')
  expect(chat.textBelow('› /copy')).toBe(`copied ${answer.length} characters of answer 1 ${how}`)
  expect(folder.copied()).toEqual(copied)
  expect(byTerminal(chat)).toEqual(how.startsWith('by OSC') ? [answer] : [])
  expect(chat.screen.written()).not.toContain('output of')
})

const withCode = 'Two:\n\n```js\none()\n```\n\n- in a list:\n\n  ~~~\n  two()\n\n  three()\n  ~~~\n\n```\n\n```\n'
const two = 'two()\n\nthree()'

/** Run one after the other, after three messages, of which the last one has no answer. */
const whats: [line: string, text: string | undefined, shown: string][] = [
  ['/copy', withCode, `copied ${withCode.length} characters of answer 2 ${osc}`],
  ['/copy 3', undefined, 'syn: /copy: message 3 has no answer'],
  ['/copy 4', undefined, 'syn: /copy 4: the conversation has 3 messages'],
  ['/copy code', two, `copied ${two.length} characters of answer 2 ${osc}`],
  ['/copy code 1', 'one()', `copied 5 characters of answer 2 ${osc}`],
  ['/copy code 3', undefined, 'syn: /copy code 3: answer 2 has 2 code blocks'],
  [
    '/copy it',
    undefined,
    'syn: /copy: "it" is not accepted; expected the number of an answer, or code and the number of a code block',
  ],
]

test.concurrent('answers and code blocks by number', async () => {
  const answers = [dialect.streamed('One'), dialect.streamed(withCode), json({ error: 'no' }, 400)]
  await using chat = await openChat(answers, { columns: wide })
  for (const message of ['one', 'two']) await chat.enter(message)
  await chat.enter('/copy code')
  expect(chat.textBelow('› /copy code')).toBe(`copied ${two.length} characters of answer 2 ${osc}`)
  await chat.enter('three')
  const shown: typeof whats = []
  for (const [line] of whats) {
    const before = byTerminal(chat).length
    await chat.enter(line)
    shown.push([line, byTerminal(chat)[before], chat.textBelow(`› ${line}`)])
  }
  expect(shown).toEqual(whats)
})
