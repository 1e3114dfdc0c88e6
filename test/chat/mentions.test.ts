/** Which files a text mentions, for any text. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastMention, longestPath, mentionNotice, mentionOf, readMentions } from '../../src/chat/mentions.ts'
import type { ChatState, Mentioned } from '../../src/chat/state.ts'
import { applyInput, lineView, startLine } from '../../src/terminal/line-editor/line-state.ts'
import { editActions, insert, startEditing, type EditAction } from '../../src/terminal/line-editor/editing.ts'
import { asPasted, plainText } from '../../src/terminal/line-editor/pasted-at.ts'
import { InputBudget } from '../../src/io/process/input-budget.ts'
import { Secrets } from '../../src/io/secrets/secrets.ts'
import { safe } from '../../src/io/text/safe-text.ts'
import { expectLinear, growthFactor } from '../helpers/growth.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'

const names = [
  'a',
  'a.ts',
  'src/b.ts',
  'my file.txt',
  "it's",
  'say "x"',
  'back\\slash',
  '-',
  '-x',
  '~',
  '~x',
  '@a',
  '"q',
  "'s",
  'end.',
  'a)',
  '日本.txt',
  'x  y',
  'data:x',
  '$HOME',
]

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

async function mentionedIn(marked: string): Promise<Mentioned[]> {
  const io = { env: { HOME: '/nowhere' }, signal, inputBudget: new InputBudget() }
  const context = { io, secrets: new Secrets(), notices: { isQuiet: true } }
  const chat = { context, signal, attachments: [], offeredFiles: new Set() } as unknown as ChatState
  return readMentions(marked, chat)
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
    expect(await mentionedIn(asPasted(text)), text).toEqual([])
    expect(await mentionedIn(`x${text.trim().replace('(', '')}`.replace('see @', 'see x@')), text).toEqual([])
  }
})

/** How many may attach a file. */
const typedAts = (text: string): number => text.split('@').length - 1

const piece = fc.oneof(
  fc.constantFrom(
    ...names,
    '@',
    '@',
    ' ',
    '"',
    "'",
    '\\',
    '\n',
    '.',
    ',',
    '(',
    '/',
    '..',
    'nope',
    '//',
    '"""',
    '\u001b',
    '\ufdd0',
  ),
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
      expect(await mentionedIn(asPasted(text))).toEqual([])
      lastMention.exec(text)
    }),
    samples(500),
  )
})

test('no action of the editor makes a pasted @ a typed one, and what is shown is what is sent', () => {
  const actions = Object.keys(editActions) as EditAction[]
  const step = fc.oneof(
    fc.constantFrom(...actions),
    fc.constantFrom('@a', ' ', 'word').map((paste) => ({ paste })),
    fc.constantFrom('x', ' ').map((typed) => ({ typed })),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let { editor } = startLine(startEditing(), ['one'])
      for (const one of steps) {
        if (typeof one === 'string') editor = editActions[one](editor)
        else if ('typed' in one) editor = insert(editor, one.typed, 'typing')
        else editor = applyInput(startLine(editor, []), { kind: 'paste', text: one.paste }).line.editor
        expect(typedAts(editor.text)).toBe(0)
        const { text } = lineView(startLine(editor, []), safe`> `)
        expect(text).toBe(plainText(editor.text))
        expect(text).not.toContain('\ufdd0')
      }
    }),
    samples(500),
  )
})

test.each(['{@', ' @"', ' @x!', '@', " @'a\\", '@x!!!!!!!!'])(
  'the time to read a text of many %j grows with its length only',
  async (piece) => {
    const reading = (length: number) => async () => {
      const text = `${piece.repeat(length / piece.length)} `
      await mentionedIn(text)
      lastMention.exec(text.slice(-longestPath))
    }
    await expectLinear(reading(400), reading(400 * growthFactor))
  },
)

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1234, '1.2 kB'],
  [999_999, '1000 kB'],
  [1_234_567, '1.2 MB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(mentionNotice([{ kind: 'file', name: 'a', text: '', bytes }])).toBe(`attached a (${shown})`)
})
