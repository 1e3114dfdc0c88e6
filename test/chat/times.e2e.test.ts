/** The time above a message after a pause, and in /show. */

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { homeWithConversations } from '../helpers/conversations.ts'
import { chat as dialect } from '../helpers/dialects.ts'
import { openChat, type ChatOptions, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

/** A clock that stands still at what a file says, for a process; its hours are those of India, half an hour off. */
function stoppedClock(): { env: Record<string, string>; set: (time: string) => void } {
  const [folder, path] = [emptyFolder(), join(emptyFolder(), 'clock')]
  const script = join(folder, 'clock.mjs')
  const read = `readFileSync(${JSON.stringify(path)}, 'utf8')`
  writeFileSync(script, `import { readFileSync } from 'node:fs'\nDate.now = () => Date.parse(${read})\n`)
  const set = (time: string): void => {
    // The program may read it at any time.
    writeFileSync(`${path}.new`, `${time}Z`)
    renameSync(`${path}.new`, path)
  }
  return { env: { TZ: 'Asia/Kolkata', NODE_OPTIONS: `--import=${pathToFileURL(script).href}` }, set }
}

const rows: [clock: string, text: string, above: string][] = [
  ['2026-11-21T10:24:59', 'soon', ''],
  ['2026-11-21T10:34:59', 'ten minutes later', '16:04'],
  ['2026-11-21T11:00:00', '/raw', ''],
  ['2026-11-21T11:00:00', 'after a command', '16:30'],
  ['2026-11-21T18:30:00', 'another day', '2026-11-22 00:00'],
  ['2026-11-21T12:00:00', 'set back', ''],
  ['2026-11-21T12:11:00', 'and on', '17:41'],
]

/** Enters what the rows have. @returns the row of the screen at a distance from each. */
async function entered(chat: InteractiveChat, set: (time: string) => void, distance: number): Promise<typeof rows> {
  const found: typeof rows = []
  for (const [clock, text] of rows) {
    set(clock)
    await chat.enter(text)
    const lines = chat.screen.lines()
    const shown = lines[lines.lastIndexOf(`› ${text}`) + distance] ?? ''
    found.push([clock, text, /^[-\d ]*\d\d:\d\d$/.test(shown) ? shown : ''])
  }
  return found
}

const hello = dialect.streamed('Hello')
const id = '20261121-090000-aaaaaa'

test.concurrent.each<[where: string, distance: number, options: ChatOptions]>([
  ['above it', -1, {}],
  ['above it, without color', -1, { env: { NO_COLOR: '1' } }],
  ['below it on a dumb terminal, where it was typed before', 1, { term: 'dumb', env: { TERM: 'dumb' } }],
  ['below it for a screen reader', 1, { env: { ACCESSIBLE: '1' } }],
])('a message after ten minutes has its time %s', async (_where, distance, options) => {
  // At 10:15.
  const home = homeWithConversations({ id, name: 'meeting', turns: [['one', 'un']] })
  const { env, set } = stoppedClock()
  set('2026-11-21T10:24:00')
  const argv = ['-c']
  await using chat = await openChat([hello], { ...options, argv, env: { ...env, ...options.env, HOME: home } })
  expect(chat.linesBelow('continuing: meeting')).toEqual(['› one', '  un', ''])
  expect(await entered(chat, set, distance)).toEqual(rows)
  if (distance === -1 && !options.env) expect(chat.screen.cellOf('17:41').isDim()).toBeTruthy()
  await chat.enter('/show 1')
  expect(chat.linesBelow('› /show 1')[0]).toBe('message 1 of 7 · 15:45')
  set('2026-11-22T12:00:00')
  await chat.enter('/load meeting')
  const shown = chat.linesBelow('continuing: meeting').filter((line) => /^\d[-\d ]*:\d\d$|^›/.test(line))
  expect(shown).toEqual(['2026-11-21 17:30', '› set back', '17:41', '› and on'])
  await chat.enter('/show')
  expect(chat.linesBelow('› /show')[0]).toBe('message 7 of 7 · 2026-11-21 17:41')
})
