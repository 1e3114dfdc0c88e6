/** The output formats of a message, and its reasoning. */

import { expect, test } from 'vitest'
import { fixture } from '../../helpers/fixtures.ts'
import {
  end,
  messages,
  redacted,
  start,
  streamed,
  text,
  thinking,
  toolUse,
  whole,
  wire,
} from '../../helpers/messages.ts'
import { draw } from '../../helpers/draw.ts'
import { events, startService } from '../../helpers/service.ts'

const blocks = [
  { type: 'thinking', thinking: 'Let me think.', signature: 'c2ln' },
  { type: 'text', text: 'Hello "you"\n🙂' },
  { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Oslo' } },
]
const answer = streamed(
  thinking(0, 'Let me ', 'think.'),
  text(1, 'Hello "you"', '\n🙂'),
  toolUse(2, 'weather', '{"city":', '"Oslo"}'),
)

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'served',
  content: blocks,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
}

test.each([
  ['streamed', answer, []],
  ['unstreamed', whole(blocks), ['--no-stream']],
])('--json, %s: prints the whole message, on one line', async (_how, given, argv) => {
  const { code, out, err } = await messages([...argv, '--json', 'hi'], { answer: given })
  expect({ code, err, json: JSON.parse(out) as unknown }).toEqual({ code: 0, err: '', json: message })
  expect(out).toMatch(/^\{.*\}\n$/)
})

test("--jsonl prints the events' data unchanged", async () => {
  const bytes = fixture('unknown-keys', 'messages').toString()
  const { out } = await messages(['--jsonl', 'hi'], { answer: events(bytes) })
  const sent = bytes.split('\n').filter((line) => line.startsWith('data: '))
  expect(out).toBe(sent.map((line) => `${line.slice('data: '.length)}\n`).join(''))
})

test('-x looks for code in all texts', async () => {
  const given = streamed(text(0, 'Here:'), toolUse(1, 'a'), text(2, '```sh\nls\n```'))
  expect(await messages(['-x', 'hi'], { answer: given })).toMatchObject({ code: 0, out: 'ls\n' })
})

test.each([
  [[], ''],
  [['--reasoning'], 'Let me think.\n\n'],
])('the reasoning with %j in a pipe', async (argv, err) => {
  const given = streamed(thinking(0, 'Let me ', 'think.'), text(1, 'Hello'))
  expect(await messages([...argv, 'hi'], { answer: given })).toMatchObject({ out: 'Hello\n', err })
})

test('on a terminal alternating reasoning and text are separated by blank lines', async () => {
  await using service = await startService(
    streamed(thinking(0, 'One.'), text(1, 'First.'), thinking(2, 'Two.'), redacted(3), text(4, 'Second.')),
  )
  const screen = await draw(['messages', 'hi'], { env: service.env })
  const lines = ['One.', '', 'First.', '', 'Two.', '', '[redacted thinking]', '', 'Second.']
  expect([screen.code, screen.lines()]).toEqual([0, lines])
  expect([screen.cellOf('Two.').isDim(), screen.cellOf('Second.').isDim()].map(Boolean)).toEqual([true, false])
})

test('a message with message_stop but no stop reason is complete', async () => {
  const given = events(wire(start(), ...text(0, 'Hello'), ...end().slice(1)))
  expect(await messages(['hi'], { answer: given })).toMatchObject({ code: 0, out: 'Hello\n', err: '' })
})
