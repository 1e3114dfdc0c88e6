/** Records many short answers in a conversation. writers.e2e.test.ts reads it meanwhile. */

import { openSession } from '../../src/conversation/session.ts'
import { ConversationStore } from '../../src/conversation/store.ts'
import { startRecording } from '../helpers/recording.ts'

const [folder = ''] = process.argv.slice(2)

const store = new ConversationStore({
  folder,
  notify: () => Promise.resolve(),
  now: () => Date.now(),
})
const session = await openSession({}, store, true)
for (let number = 0; number < 200; number++) {
  const recorder = await startRecording(
    session,
    { messages: [{ role: 'user', content: `Question ${number}` }] },
    'hf:a',
  )
  for (const text of ['one', ' two', ' three']) await recorder.add([{ type: 'text', index: 0, text }])
  await recorder.end()
}
