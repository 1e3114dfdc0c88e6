/** A chat that is killed at any moment can be continued with the part of the answer that it received. */

import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, startSyn } from '../helpers/program.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'

const hello = events(chatAnswer(['Hel', 'lo']))

test('SIGKILL, then -c', async () => {
  const pieces = fc.array(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), { maxLength: 20 })
  const property = fc.asyncProperty(pieces, fc.nat({ max: 30 }), async (pieces, milliseconds) => {
    const paced = new PacedAnswer()
    let requests = 0
    await using service = await startService((asked, response) =>
      (requests++ === 0 ? paced.answer : hello)(asked, response),
    )
    const env = environment(service)
    const { child, ended } = startSyn(['chat', '--save', 'one'], env)
    await paced.asked
    await paced.send(...pieces)
    await pause(milliseconds)
    child.kill('SIGKILL')
    await ended
    expect(await runSyn(['chat', '-c', 'two'], { env })).toMatchObject({ code: 0, out: 'Hello\n' })
    const bodies = service.asked.map(({ json }) => json as { messages: { content: string }[] })
    const contents = bodies.at(-1)?.messages.map(({ content }) => content) ?? []
    if (contents.length === 1) expect(contents).toEqual(['two'])
    else expect(contents).toEqual(['one', expect.any(String), 'two'])
    if (contents.length > 1) expect(pieces.join('').startsWith(contents[1] ?? '')).toBe(true)
  })
  await fc.assert(property, { numRuns: 60 })
})
