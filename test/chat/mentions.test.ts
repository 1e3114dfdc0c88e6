/** Which files a text mentions, for any text. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
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
const names = [...plain, '日@c', 'b.ts:10', "it's", 'say "x"', 'back\\slash', '-x', '~', '~x', '@a', '"q', "'s", 'a)']

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
  [pasted('看@a.ts的'), typed('内容'), []],
  [pasted('看@a.ts的'), typed('内容 @a.ts'), ['a.ts']],
  [pasted('看@'), typed('a.ts的'), ['a.ts']],
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

/** From public prompts, reports and instructions for agents, but for the names of three files. */
const written: [text: string, ...attached: string[]][] = [
  // deepagents #558, opencode #27651, #26716
  ['请阅读@demo/test.txt并总结', 'demo/test.txt'],
  ['你好@README.md', 'README.md'],
  ['根据@docs/plans/2026-02-22-sprint01.md 进行检查。', 'docs/plans/2026-02-22-sprint01.md'],
  ['请先读：@docs/PHASE5.md、@docs/P5.2-PLANNER.md。', 'docs/PHASE5.md', 'docs/P5.2-PLANNER.md'],
  ['1、UI 控制层：@src/routes/+page.svelte (参数选择与指令发送)', 'src/routes/+page.svelte'],
  ['@提及/路径（@ 后接路径字符——@src/agent.ts）', 'src/agent.ts'],
  ['（如 @src/Main.java、@docs/、@"含 空格 的名"）', 'src/Main.java', '含 空格 的名'],
  ['关键信息优先：@src/auth/login.ts 请重构', 'src/auth/login.ts'],
  ['次に、@docs/design.md（または類似のファイル）を読み取り、', 'docs/design.md'],
  ['（実装・CI/CD・設計書同期、@docs/dev-session.md）', 'docs/dev-session.md'],
  ['APIキーは環境変数、@docs/SPEC.mdを参照', 'docs/SPEC.md'],
  ['まず@CLAUDE.mdを読んで現状を把握してから', 'CLAUDE.md'],
  ['@README.md를 읽고 프로젝트 요약해줄래?', 'README.md'],
  ['อ่าน@src/auth/login.tsแล้วช่วยเขียน test', 'src/auth/login.ts'],
  ['ອ່ານ@README.mdແລ້ວ ສະຫຼຸບ', 'README.md'],
  ['អាន@README.mdហើយសង្ខេប', 'README.md'],
  ['ဖတ်ပါ@README.mdကို', 'README.md'],
  ['Прочитай @PROJECT_BRIEF.md целиком, потом «@CLAUDE.md».', 'PROJECT_BRIEF.md', 'CLAUDE.md'],
  ['اقرأ @README.md، ثم لخّص', 'README.md'],
  ['the notes—@README.md—say', 'README.md'],
  ['as in ”@README.md“ and --@CLAUDE.md', 'README.md', 'CLAUDE.md'],
  ['看@报告的内容', '报告'],
  // pi #7673, claude-code #30830, OpenAgentd #88, DeepSeek-Reasonix #4262, vscode-sidebar-terminal #112
  ['@src/a/b.ts#L2-L3', 'src/a/b.ts:2-3'],
  ['@src/a/b.ts:2-3, @src/a/b.ts#L1. @src/a/b.ts:2', 'src/a/b.ts:2-3', 'src/a/b.ts:1', 'src/a/b.ts:2'],
  ['@src/a/b.ts:1-2即可在上下文中插入', 'src/a/b.ts:1-2'],
  ['测试：@src/a/b.ts#1-3', 'src/a/b.ts:1-3'],
  ['src/a/b.ts(2): @src/a/b.ts:3:14: error TS2322', 'src/a/b.ts:3'],
  ['@"含 空格 的名":1, @"含 空格 的名#L1"!', '含 空格 的名:1'],
  ['@odd.ts:2 @odd.ts:1', 'odd.ts:2', 'odd.ts:1'],
  ['Who wrote it?@README.md mail@README.md 版本2@README.md'],
  ['请参考@MessageMapping("/chat1"), 详情请参考@typescript-eslint/no-throw-literal选项。'],
  ['请参考@ohos.hidebug中的示例。请参考@https://docs.telethon.dev/a.html ，レビュー@lang-fr-teamが'],
]

test.each(written)('%j', async (text, ...attached) => {
  for (const name of written.flatMap(([, ...files]) => files).map((one) => one.replace(/(?<!odd.ts):[\d-]+$/, ''))) {
    mkdirSync(dirname(name), { recursive: true })
    writeFileSync(name, name === 'odd.ts:1' ? 'one' : 'one\ntwo\nthree')
  }
  rmSync('odd.ts:2', { force: true })
  writeFileSync('odd.ts', '1\n2')
  const found = await mentionedIn(text)
  expect(found.map(({ name }) => name)).toEqual(attached)
  expect(await mentionedInPasted(text)).toEqual([])
})

test.each(['@a.ts:2-5', '@a.ts:0', '@a.ts:2-1', '@a.ts#L3-L9'])('%s is an error: no such lines', async (text) => {
  await expect(mentionedIn(`see ${text}.`)).rejects.toThrow(`${text}: no such lines`)
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

test.each(['{@', ' @"', '@x!!!!!!!!', '看@', '@x看看看看看看看', '@x:10:10:10'])(
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
  expect(mentionNotice({ mentioned: [{ kind: 'file', name: 'a', path: 'a', text: '', bytes }] })).toBe(
    `attached a (${shown})`,
  )
})
