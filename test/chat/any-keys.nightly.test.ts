/** Random keys while the terminal is resized and the file system fails: the chat goes on, no message is lost, and no paste attaches a file. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { faultSignal, withFileFaults } from '../helpers/file-faults.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'

const sequences = [
  ...['A', 'B', 'C', 'D', 'H', 'F', '3~', '5~', '6~', '1;5C', '1;5D', '27u', '13;2u', 'Z', '<35;1;2M'].map(
    (end) => `[${end}`,
  ),
  ...'bfdytu\r',
  '[200~z\rz z\u001b[201~',
  // Tab does not offer a hidden file, so that nothing takes it.
  '[200~ @.secret \u001b[201~',
  ']11;rgb:ffff/ffff/ffff\u001b\\',
].map((rest) => `\u001b${rest}`)

const commands = 'help,undo,retry,new,sessions,edit 1,show,copy code,raw on,model,set seed=3,file nope,save,z'.split(
  ',',
)

/** All but those that exit, such as Ctrl-C twice, and those that give the terminal to another program. */
const keys = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('z', 'zq ', '\u00e9', '漢', '🦊', '👩‍👩‍👧', '"', '\\', "'", '`', '*') },
  {
    weight: 4,
    // The control characters for moving, deleting, yanking, searching and completing, and Enter.
    arbitrary: fc.constantFrom(
      ...'\u0001\u0002\u0005\u0006\b\t\n\u000b\u000c\r\u000e\u0010\u0012\u0014\u0015\u0017\u0019\u001f\u007f',
    ),
  },
  { weight: 4, arbitrary: fc.constantFrom(...sequences) },
  // What has a list: the keys above then choose in it, take from it and close it.
  {
    weight: 2,
    arbitrary: fc.constantFrom('\u0005\u0015/re', '\u0015/model ', '\u0015/set ', '/ra', '\u0015/file ', '\u001b[27u'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...commands).map((command) => `\u0005\u0015/${command}\r`),
  },
)

const steps = fc.record({
  keys: fc.array(keys, { minLength: 95, maxLength: 95 }),
  /** Otherwise the chat would draw nothing: see `longestPause`. */
  resizes: fc.nat(7).map((number) => number === 0),
  columns: fc.integer({ min: 20, max: 120 }),
  rows: fc.integer({ min: 8, max: 50 }),
  fails: fc.boolean(),
})

/** A row that stands for what a low screen has no room for: messages that are queued, or the start of the draft. */
const hidesOthers = /^[›»] … \d+ more( lines?)?$/

/** @param isDrawn Whether the screen shows what the chat has read: only then a row that hides others stands for the message. */
function isKept(message: string, chat: InteractiveChat, isDrawn: boolean): boolean {
  return (
    historyOf(chat).includes(message) ||
    chat.sent().some(({ messages }) => messages.some(({ content }) => String(content).includes(message))) ||
    chat.screen.lines().some((line) => line.includes(message) || (isDrawn && hidesOthers.test(line)))
  )
}

/** In milliseconds without output: the chat has drawn all, also after a resize, for 300 ms of which it draws nothing. */
const longestPause = 400

function historyOf({ home }: InteractiveChat): string {
  const path = join(home, '.local/share/syn/history.jsonl')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

test('the chat goes on, and each message is sent, in the history or in the line', async () => {
  const env = withFileFaults(60)
  const folder = emptyFolder()
  writeFileSync(join(folder, '.secret'), 'text of the secret')
  await using chat = await openChat([dialect.streamed('Hello **you**, here is a longer answer.')], {
    env,
    // /save writes files.
    folder,
    scrollback: 200,
  })
  // A paste that is sent for certain.
  chat.screen.type('\u001b[200~see @.secret now\u001b[201~\r')
  await expect.poll(() => JSON.stringify(chat.sent()), { timeout: 20_000 }).toContain('@.secret')
  let number = 0
  const entered = new Set<string>()
  await fc.assert(
    fc.asyncProperty(steps, async (step) => {
      let [length, since] = [0, 0]
      const isDrawn = (): boolean => {
        const now = chat.screen.written().length
        if (now !== length) [length, since] = [now, performance.now()]
        return performance.now() - since > longestPause
      }
      if (step.fails) chat.screen.kill(faultSignal)
      if (step.resizes) chat.screen.resize(step.columns, step.rows)
      chat.screen.type(step.keys.join(''))
      // The prompt may be the last of several lines.
      const message = `m${++number}.`
      // Esc ends a search or a list, and stops an answer. Twice on an empty line, it would edit the last message.
      chat.screen.type(`\u001b[27uz\u001b[27u\u0005\u0015${message}\r`)
      await expect.poll(() => isKept(message, chat, isDrawn()), { timeout: 60_000 }).toBe(true)
      // Otherwise the Enter was one of a draft of several lines, which later keys delete.
      if (historyOf(chat).includes(message)) entered.add(message)
    }),
    { ...samples(270), endOnFailure: true },
  )
  // What is left of a draft, and what returns to the line when an answer fails or is stopped: Esc twice clears it.
  chat.screen.resize(80, 24)
  let last = ''
  const typed = (): string => {
    const shown = chat.screen.lines()
    if (shown.at(-1) === `› ${last}`) return last
    chat.screen.type(`z\u001b[27u\u001b[27u\u001b[27u${(last = `last${++number}`)}`)
    return shown.join('\n')
  }
  await expect.poll(typed, { timeout: 60_000, interval: 700 }).toMatch(/^last\d+$/)
  chat.screen.type('\r')
  await expect.poll(() => chat.sent().at(-1)?.messages.at(-1)?.content, { timeout: 20_000 }).toBe(last)
  await chat.screen.until((lines) => lines.at(-1) === '›')
  chat.screen.type('\u0004')
  expect(await chat.screen.ended).toBe(0)
  expect(JSON.stringify(chat.sent())).not.toContain('text of the secret')
  const history = historyOf(chat)
  expect([...entered].filter((message) => !history.includes(message))).toEqual([])
})
