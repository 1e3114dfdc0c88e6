/** The warning when a conversation nearly fills the context window. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { json, type Answer } from '../helpers/service.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { wide } from '../helpers/terminal.ts'

const long = streamed(delta('Hello'), {
  ...end(),
  usage: { prompt_tokens: 9000, completion_tokens: 900, total_tokens: 9900 },
})

function service(length: number): Answer {
  const models = json({ data: [{ id: 'hf:one', context_length: length }] })
  return (asked, response) => (asked.path.endsWith('/models') ? models : long)(asked, response)
}

test('warns before anything is sent, and Enter sends it anyway', async () => {
  await using chat = await openChat([service(10_000)], { columns: 40, argv: ['-m', 'hf:one'] })
  await chat.enter('one')
  chat.screen.type('two\r')
  await chat.screen.until((lines) => lines.at(-1) === '› two' && lines.join(' ').includes('Enter to send it'))
  expect(chat.screen.lines().join(' ')).toContain('has about 9901 tokens; the context window of hf:one has 10000')
  expect(chat.screen.lines().join(' ')).toContain('/compact, /undo or /new')
  expect(chat.sent()).toHaveLength(1)
  await chat.enter('')
  expect(chat.sent()[1]?.messages).toEqual([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'two' },
  ])
})

test('cached tokens count', async () => {
  const models = json({ data: [{ id: 'hf:one', context_length: 10_000 }] })
  const usage = { input_tokens: 1, cache_read_input_tokens: 8000, cache_creation_input_tokens: 999, output_tokens: 900 }
  const answer = json({ id: 'one', type: 'message', content: [{ type: 'text', text: 'Hello' }], usage })
  await using chat = await openChat(
    [(asked, response) => (asked.path.endsWith('/models') ? models : answer)(asked, response)],
    { columns: wide, argv: ['--api', 'messages', '-m', 'hf:one'] },
  )
  await chat.enter('one')
  expect(chat.textBelow('Hello')).toContain('9,000 (8,000 cached, 999 newly cached) + 900 tokens · ')
  chat.screen.type('two\r')
  await chat.screen.until((lines) => lines.at(-1) === '› two' && lines.join(' ').includes('Enter to send it'))
  expect(chat.screen.lines().join(' ')).toContain('has about 9901 tokens')
})

test('warns of a file that exceeds the context window, and of a conversation without a count', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'long.txt'), 'many words '.repeat(4000))
  await using chat = await openChat([service(10_000)], { argv: ['-m', 'hf:one'], folder })
  await chat.enter('/file long.txt')
  chat.screen.type('sum up\r')
  await chat.screen.until(
    (lines) => lines.at(-1) === '[long.txt] › sum up' && lines.join(' ').includes('Enter to send it'),
  )
  // Nothing that shortens the conversation helps.
  expect(chat.screen.lines().join(' ')).toMatch(/or\s+shorten it: it is too long alone/)
  expect(chat.sent()).toEqual([])
  await chat.enter('')
  expect(chat.sent()).toHaveLength(1)
  await using again = await openChat([service(10_000)], { argv: ['-m', 'hf:one', '-c'], env: { HOME: chat.home } })
  again.screen.type('more\r')
  await again.screen.until((lines) => lines.at(-1) === '› more' && lines.join(' ').includes('Enter to send it'))
  expect(again.sent()).toEqual([])
  await again.clear()
})
