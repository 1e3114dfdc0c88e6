/** The usage of an answer, from a service that sends it only on request. */

import { expect, test } from 'vitest'
import { playBack } from '../helpers/foreign.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { emptyFile } from '../helpers/run-syn.ts'
import { json } from '../helpers/service.ts'

const option = { include_usage: true }

test('a service that refuses the request is asked once, also without a cache', async () => {
  await using chat = await openChat(
    [
      (asked, response) =>
        (asked.json as { stream_options?: unknown } | undefined)?.stream_options === undefined
          ? playBack('llama-chat-stream')(asked, response)
          : json({ error: 'unknown field stream_options' }, 400)(asked, response),
    ],
    { env: { XDG_CACHE_HOME: emptyFile() } },
  )
  await chat.enter('Hello')
  await chat.enter('Hello again')
  expect(chat.sent().map((body) => body.stream_options)).toEqual([option, undefined, undefined])
})
