/** Runs `syn chat`; by default the service streams a short text. */

import { expect } from 'vitest'
import { asking, type AskingOptions } from './asking.ts'
import { chatAnswer, events } from './service.ts'

export const { run: chat, sentBy, refusalOf } = asking('chat', events(chatAnswer(['Hel', 'lo'])))

/** The content of the only message that a successful run sent. */
export async function promptSentBy(argv: string[], options: AskingOptions = {}): Promise<unknown> {
  const { messages } = (await sentBy(argv, options)) as { messages: { role: string; content: unknown }[] }
  expect(messages.map(({ role }) => role)).toEqual(['user'])
  return messages[0]?.content
}
