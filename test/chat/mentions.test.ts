/** Which files a text mentions, for any text. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  keepAsText,
  lastMention,
  longestPath,
  mentionNotice,
  mentionOf,
  noteMentions,
  readMentions,
} from '../../src/chat/mentions.ts'
import type { ChatState, Mentioned } from '../../src/chat/state.ts'
import { startEditing } from '../../src/terminal/line-editor/editing.ts'
import type { KeyboardInput } from '../../src/terminal/line-editor/key-sequences.ts'
import { applyInput, startLine } from '../../src/terminal/line-editor/line-state.ts'
import { InputBudget } from '../../src/io/process/input-budget.ts'
import { expectLinear, growthFactor } from '../helpers/growth.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'

const plain = ['a', 'a.ts', 'src/b.ts', 'my file.txt', '日本.txt', 'x  y', 'end.', 'data:x', '$HOME']
const names = [...plain, "it's", 'say "x"', 'back\\slash', '-x', '~', '~x', '@a', '"q', "'s", 'a)']

const previous = process.cwd()
beforeAll(() => {
  process.chdir(emptyFolder())
  for (const name of names) {
    mkdirSync(dirname(name), { recursive: true })
    writeFileSync(name, `text of ${name}`)
  }
})
afterAll(() => process.chdir(previous))

const { signal } = new AbortController()

function openChat(): ChatState {
  const io = { env: { HOME: '/nowhere' }, signal, inputBudget: new InputBudget() }
  const context = { io, notices: { isQuiet: true } }
  return { context, signal, attachments: [], offeredFiles: new Set(), textMentions: new Set() } as unknown as ChatState
}

const mentionedIn = async (text: string): Promise<Mentioned[]> => (await readMentions(text, openChat())).mentioned

async function mentionedInPasted(text: string): Promise<Mentioned[]> {
  const chat = openChat()
  keepAsText(text, chat)
  const { mentioned, unattached } = await readMentions(text, chat)
  expect(unattached).toEqual([])
  return mentioned
}

const textOf = (one: Mentioned): string => (one.kind === 'file' ? one.text : '')

test.each(names)('%s is read back as it is offered, wherever it stands', async (name) => {
  for (const text of [
    `@${mentionOf(name)}`,
    `see @${mentionOf(name)} ,`,
    `(@${mentionOf(name)} )`,
    `\n@${mentionOf(name)}\n`,
  ]) {
    expect((await mentionedIn(text)).map(textOf), text).toEqual([`text of ${name}`])
    expect(await mentionedInPasted(text), text).toEqual([])
    expect(await mentionedIn(`x${text.trim().replace('(', '')}`.replace('see @', 'see x@')), text).toEqual([])
  }
})

/** How many may attach a file. */
const typedAts = (text: string): number => text.split('@').length - 1

const piece = fc.oneof(
  fc.constantFrom(...names, ...'@@ "\'\\\n.,(/\u001b', '..', 'nope', '//', '"""'),
  fc.string({ maxLength: 3 }),
)

test('no text mentions a file whose name it does not have after an @', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const text = pieces.join('')
      const found = await mentionedIn(text).catch((error: Error) => {
        // A directory is refused.
        expect(error.message).toMatch(/^@.*(is a directory|not a regular file)$/s)
        return []
      })
      expect(new Set(found.map(textOf)).size).toBe(found.length)
      expect(found.length).toBeLessThanOrEqual(typedAts(text))
      expect(await mentionedInPasted(text)).toEqual([])
      lastMention.exec(text)
    }),
    samples(500),
  )
})

const typed = (text: string): KeyboardInput => ({ kind: 'text', text })
const pasted = (text: string): KeyboardInput => ({ kind: 'paste', text })
const key = (name: string): KeyboardInput => ({ kind: 'key', name })

test.each<[...inputs: KeyboardInput[], attached: string[]]>([
  [pasted('@a.ts'), []],
  [pasted('(@a.ts), @end.'), typed(', @a '), ['a']],
  [pasted('@a.ts'), typed('. @end.'), ['end.']],
  [pasted('@a.ts'), typed(' @a.ts'), ['a.ts']],
  [typed('@a.ts: '), pasted('at @a.ts, @a'), ['a.ts']],
  [pasted('@a.ts'), key('ctrl-u'), key('ctrl-y'), key('left'), key('right'), []],
  [pasted('@a.ts'), key('ctrl-u'), typed('@a.t'), typed('s'), ['a.ts']],
  [pasted('@"my file.txt"'), typed(' @"my file.tx'), typed('t"'), ['my file.txt']],
])('%j', async (...row) => {
  const [inputs, attached] = [row.slice(0, -1) as KeyboardInput[], row.at(-1)]
  const chat = openChat()
  let line = startLine(startEditing(), [])
  for (const input of inputs) {
    line = applyInput(line, input).line
    noteMentions(line.editor, chat)
  }
  expect((await readMentions(line.editor.text, chat)).mentioned.map(({ name }) => name)).toEqual(attached)
})

test.each<[text: string, ...unattached: string[]]>([
  [
    'see @nope.ts:3, (@./nope), @nope.PNG. @a',
    '@nope.ts (no such file)',
    '@./nope (no such file)',
    '@nope.PNG (no such file)',
  ],
  ['@"no file.txt"', '@"no file.txt" (no such file)'],
  ['@src @src/ @src/../src', '@src (a directory)', '@src/ (a directory)', '@src/../src (a directory)'],
  ['@src/*.ts @**/*.ts @*.md', '@src/*.ts (no such file)', '@**/*.ts (no such file)', '@*.md (no such file)'],
  ['@gone/nope.ts @gone/nope.ts @/dev/nope', '@gone/nope.ts (no such file)', '@/dev/nope (no such file)'],
  ['/etc/hosts what is it? See /etc/passwd and /etc', '/etc/hosts (@/etc/hosts attaches it)'],
  ['@types/node @angular/core@17.0.1 @scope/name @/store/user.ts @/store @// @../..'],
  ['@alice me@example.org @example.org @jane.doe, @user.name @gmail.com. @2x @v1.2'],
  ['@Injectable() @app.route("/x") @app.get(\'/a.js\') @mock.patch("a.b") @dataclass @x.setter @functools.wraps(f)'],
  ['@Override @media (max-width: 1px) @param {a.b} c {@link a.b} @request.json(1) @"Hello, World."'],
  ["@names.map @nope's @'nope' @nope/ @Html.Partial('a.ts')"],
])('%j: a notice only for what is meant as a path', async (text, ...unattached) => {
  expect((await readMentions(text, openChat())).unattached).toEqual(unattached)
})

test.each(['{@', ' @"', '@x!!!!!!!!'])(
  'the time to read a text of many %j grows with its length only',
  async (piece) => {
    const reading = (length: number) => async () => {
      const text = `${piece.repeat(length / piece.length)} `
      await mentionedIn(text)
      await mentionedInPasted(text)
      lastMention.exec(text.slice(-longestPath))
    }
    await expectLinear(reading(400), reading(400 * growthFactor))
  },
)

test.each([
  [0, '0 B'],
  [1234, '1.2 kB'],
  [999_999, '1000 kB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(mentionNotice({ mentioned: [{ kind: 'file', name: 'a', text: '', bytes }] })).toBe(`attached a (${shown})`)
})
