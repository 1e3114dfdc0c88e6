/** Runs `syn chat`; the service gives a short streamed text unless a test says otherwise. */

import { expect } from 'vitest'
import { asking, type AskingOptions } from './asking.ts'
import { chatAnswer, events } from './service.ts'

export type ChatOptions = AskingOptions

export const { run: chat, sentBy, refusalOf } = asking('chat', events(chatAnswer(['Hel', 'lo'])))

/** What the user says in the one message that a successful run sent. */
export async function promptSentBy(argv: string[], options: ChatOptions = {}): Promise<unknown> {
  const { messages } = (await sentBy(argv, options)) as { messages: { role: string; content: unknown }[] }
  expect(messages.map(({ role }) => role)).toEqual(['user'])
  return messages[0]?.content
}
