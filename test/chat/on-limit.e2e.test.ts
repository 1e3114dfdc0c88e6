/** The wait for a used-up quota in the interactive chat: `--on-limit wait`, or the setting. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, type Answer } from '../helpers/service.ts'
import { byHand } from '../helpers/terminal.ts'
import { texts, toolsFile } from '../helpers/tools.ts'

const hour = 3_600_000

/** A refusal with the quota in a header, which comes back after this many milliseconds. */
function limited(wait: number): Answer {
  return (asked, response) => {
    const renewsAt = new Date(Date.now() + wait).toISOString()
    const record = { rollingFiveHourLimit: { remaining: 0, max: 5, tickPercent: 0.05, nextTickAt: renewsAt } }
    const headers = { 'x-synthetic-quotas': JSON.stringify(record) }
    return json({ error: 'Rate limit exceeded.' }, 429, headers)(asked, response)
  }
}

const hello = events(chatAnswer(['Hello']))
const left = json({ subscription: { limit: 5, requests: 0 } })
const escape = '\u001b[27u'

const counts = / used up; 5% back at (\d{4}-\d\d-\d\d )?\d\d:\d\d \(in .+\) · Esc stops/

function untilWaiting({ screen }: InteractiveChat): Promise<void> {
  return screen.until((lines) => lines.some((line) => counts.test(line)))
}

const argv = ['--on-limit', 'wait']

test.concurrent('Esc ends it, and the message returns to the line; its next one replaces it', async () => {
  await using chat = await openChat([limited(hour), hello], { argv })
  chat.screen.type('hi @no\r')
  await untilWaiting(chat)
  chat.screen.type(escape)
  await chat.screen.until((lines) => lines.at(-1) === '› hi @no' && !lines.some((line) => counts.test(line)))
  expect(chat.screen.lines()).toContain('stopped')
  chat.screen.type('!\r')
  await chat.screen.until((lines) => lines.includes('Hello') && lines.at(-1) === '›')
  expect(chat.sent().map(({ messages }) => messages.map(({ content }) => content))).toEqual([['hi @no'], ['hi @no!']])
})

test.concurrent('what is attached stays attached, and lines typed meanwhile return with the message', async () => {
  const path = join(emptyFolder(), 'note.txt')
  writeFileSync(path, 'The note.')
  await using chat = await openChat([limited(hour), hello], { argv })
  await chat.type(`/file ${path}\r`, '[note.txt] ›')
  chat.screen.type('read it\r')
  await untilWaiting(chat)
  chat.screen.type(byHand('two\rthree'))
  await chat.screen.until((lines) => lines.some((line) => line.endsWith('three')))
  await chat.type(escape, '[note.txt] › three')
  expect(chat.screen.lines().filter((line) => line.startsWith('not sent'))).toEqual([
    'not sent (Up): two',
    'not sent (Up): read it',
  ])
})

test.concurrent('the setting makes the chat wait, and the answer comes when the quota is back', async () => {
  const env = { XDG_CONFIG_HOME: emptyFolder() }
  expect(await runSyn(['config', 'set', 'on-limit', 'wait'], { env })).toMatchObject({ code: 0 })
  await using chat = await openChat([limited(1000), left, hello], { env })
  chat.screen.type('hi\r')
  await untilWaiting(chat)
  await chat.screen.until((lines) => lines.includes('Hello') && lines.at(-1) === '›')
  expect(chat.screen.lines().filter((line) => counts.test(line))).toEqual([])
  expect(chat.sent()).toHaveLength(2)
})

test.concurrent('/retry is not put back, and the answer before is kept', async () => {
  await using chat = await openChat([hello, limited(hour)], { argv })
  await chat.enter('one')
  chat.screen.type('/retry\r')
  await untilWaiting(chat)
  chat.screen.type(escape)
  await chat.screen.until((lines) => lines.includes('stopped; the previous answer is kept') && lines.at(-1) === '›')
})

test.concurrent('between the steps of tools, the results are kept', async () => {
  const tools = toolsFile({ tools: { note: { parameters: texts(), command: ['echo', 'noted'] } } })
  const answers = [dialect.streamed('', { call: 'note', given: '{}' }), limited(hour), hello]
  await using chat = await openChat(answers, { argv: [...argv, '--tools-file', tools, '--allow', 'note'] })
  chat.screen.type('Go\r')
  await untilWaiting(chat)
  chat.screen.type(escape)
  await chat.screen.until(
    (lines) => lines.some((line) => line.startsWith('no answer to the results')) && lines.at(-1) === '›',
  )
  await chat.enter('And?')
  expect(
    chat
      .sent()
      .at(-1)
      ?.messages.map(({ content }) => content),
  ).toEqual(['Go', '', 'noted\n', 'And?'])
})

test.concurrent('closing the terminal ends a chat that waits', async () => {
  await using chat = await openChat([limited(hour)], { argv, asProcess: true })
  chat.screen.type('hi\r')
  await untilWaiting(chat)
  chat.screen.close()
  expect(await chat.screen.ended).toBe(129)
})
