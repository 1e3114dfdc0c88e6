/** Writes an answer in many pieces, short and very long. writers.e2e.test.ts runs two of this process at the same time. */

import { ConversationFileWriter } from '../../src/conversation/conversation-file.ts'

const [path = '', answer = ''] = process.argv.slice(2)

const writer = new ConversationFileWriter(path)
for (let number = 0; number < 300; number++) {
  const text = `${number} ${answer.repeat(number % 30 === 0 ? 100_000 : number)}`
  writer.write({ type: 'part', answer, deltas: [{ type: 'text', index: 0, text }] })
}
writer.close()
