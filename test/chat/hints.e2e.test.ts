/** Hints in the chat name slash commands. */

import { expect, test } from 'vitest'
import { liveReply } from '../helpers/fixtures.ts'
import { playBack } from '../helpers/foreign.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { end, start, wire } from '../helpers/messages.ts'
import { events, json, type Answer } from '../helpers/service.ts'
import { wide } from '../helpers/terminal.ts'

const gone: Answer = (asked, response) =>
  (asked.path.endsWith('/models') ? json({ data: [] }) : json({ error: 'no such model' }, 404))(asked, response)

test.each<[title: string, answer: Answer, argv: string[], hint: string]>([
  [
    'a model that is gone',
    gone,
    ['-m', 'syn:large:text'],
    'the model may have been rotated out. Press Tab after /model to list the available models',
  ],
  ['a full context', playBack('llama-400-context'), [], 'use /compact, /undo or /new to shorten the conversation'],
  [
    'an effort that the model does not take',
    json(liveReply('models')),
    ['-m', 'syn:large:text', '--reasoning-effort', 'turbo'],
    'use /set reasoning_effort to choose another',
  ],
  [
    'an answer that the service paused',
    events(wire(start(), ...end('pause_turn'))),
    ['--api', 'messages'],
    'was paused by the service; send it back with a new message to continue',
  ],
])('%s', async (_title, answer, argv, hint) => {
  await using chat = await openChat([answer], { columns: wide, argv })
  await chat.enter('hi')
  expect(chat.textBelow('› hi')).toContain(hint)
})
