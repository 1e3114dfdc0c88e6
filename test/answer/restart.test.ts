/** An answer that the service starts again, in another read, after a part of it has come. */

import { expect, test } from 'vitest'
import { receive } from '../../src/answer/send.ts'
import { messages } from '../../src/api/messages/operation.ts'
import { Answer } from '../../src/stream/answer.ts'
import { type DecodingOptions, readAnswer } from '../../src/stream/reply-decoder.ts'
import { end, start, text, wire } from '../helpers/messages.ts'

const again = { ...start(), message: { ...(start().message as object), id: 'msg_2' } }
const reads = [wire(start(), ...text(0, 'Half of an ans')), wire(again, ...text(0, 'Whole'), ...end())]

function answering(answer: Answer, restart?: () => Promise<void>): Promise<void> {
  const body = (async function* () {
    for (const read of reads) yield Buffer.from(read)
  })()
  const options: DecodingOptions = { withChunks: true, choiceCount: 1 }
  return receive(readAnswer({ headers: {}, body }, messages.createDecoder(), options), { answer, restart })
}

test('the first part is dropped where it can be', async () => {
  const answer = new Answer({ fold: messages.createFold() })
  let restarts = 0
  await answering(answer, () => Promise.resolve(void restarts++))
  expect({ restarts, texts: answer.texts }).toEqual({ restarts: 1, texts: ['Whole'] })
  expect(answer.json).toMatchObject({ id: 'msg_2', content: [{ type: 'text', text: 'Whole' }] })
})

test('elsewhere the answer is cut short, and keeps its first part', async () => {
  const answer = new Answer()
  await expect(answering(answer)).rejects.toThrow('the answer was cut short: the service started another answer')
  expect(answer.texts).toEqual(['Half of an ans'])
})
