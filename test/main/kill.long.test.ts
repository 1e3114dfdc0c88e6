/** A chat that is killed at any moment can be continued with all of the answer that it showed. */

import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { end } from '../helpers/chat-chunks.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, startSyn } from '../helpers/program.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'

const hello = events(chatAnswer(['Hel', 'lo']))

test('SIGKILL, then -c', async () => {
  const pieces = fc.array(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), { maxLength: 20 })
  const property = fc.asyncProperty(
    pieces,
    fc.nat({ max: 30 }),
    fc.boolean(),
    async (pieces, milliseconds, isEnded) => {
      const paced = new PacedAnswer()
      let requests = 0
      await using service = await startService((asked, response) =>
        (requests++ === 0 ? paced.answer : hello)(asked, response),
      )
      const env = environment(service)
      const { child, ended } = startSyn(['chat', '--save', 'one'], env)
      await paced.asked
      await paced.send(...pieces)
      // Some are killed around the end of their answer.
      if (isEnded) await paced.finish(end())
      await pause(milliseconds)
      child.kill('SIGKILL')
      const { out: shown } = await ended
      expect(await runSyn(['chat', '-c', 'two'], { env })).toMatchObject({ code: 0, out: 'Hello\n' })
      const bodies = service.asked.map(({ json }) => json as { messages: { content: string }[] })
      const contents = bodies.at(-1)?.messages.map(({ content }) => content) ?? []
      if (contents.length === 1) expect(contents).toEqual(['two'])
      else expect(contents).toEqual(['one', expect.any(String), 'two'])
      const stored = contents.length > 1 ? (contents[1] ?? '') : ''
      expect(pieces.join('').startsWith(stored)).toBe(true)
      // A complete answer is printed with a final newline.
      expect(`${stored}\n`.startsWith(shown)).toBe(true)
    },
  )
  await fc.assert(property, samples(10))
})
