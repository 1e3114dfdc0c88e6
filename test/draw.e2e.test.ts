/** What tests draw in memory is what a real terminal shows of the built program. */

import { expect, test } from 'vitest'
import { draw } from './helpers/draw.ts'
import { list } from './helpers/models.ts'
import { environment } from './helpers/program.ts'
import { chatAnswer, events, json, startService, type Answer } from './helpers/service.ts'
import { found } from './helpers/search.ts'
import { synOnTerminal } from './helpers/terminal.ts'

const markdown = '# One\n\n- **two** 中文\n\n| a | b |\n|---|---|\n| c | `d` |\n\n```ts\nlet a = 1\n```\n'

// With -q: a spinner would depend on the time.
test.each<[argv: string[], answer: Answer]>([
  [['chat', '-q', 'hi'], events(chatAnswer([markdown]))],
  [['models', '-q'], json(list)],
  [['search', '-q', 'tower'], json(found)],
  [['embed', '-q', '-m', 'hf:a/b', 'hi'], json({ data: [{ index: 0, embedding: [3, -4, 0.5] }] })],
  [['chat', '-q', 'hi'], json({ error: 'a failure with a message of some length, which needs two lines' }, 400)],
])('%j', async (argv, answer) => {
  await using service = await startService(answer)
  const options = { columns: 60 }
  const screen = synOnTerminal(argv, environment(service), options)
  const code = await screen.ended
  const drawn = await draw(argv, { ...options, env: service.env })
  expect({ code: drawn.code, written: drawn.written() }).toEqual({ code, written: screen.written() })
})
