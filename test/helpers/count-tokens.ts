/** `syn count-tokens` against a service that counts the characters of the messages' texts as tokens. */

import { asking } from './asking.ts'
import { json, type Answer } from './service.ts'

/** The reply also has an unknown key. */
export const counting: Answer = (asked, response) => {
  if (asked.method === 'GET') return json({ error: 'no list' }, 404)(asked, response)
  const { messages } = asked.json as { messages: { content: unknown }[] }
  const texts = messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
  return json({ input_tokens: texts.join('').length, cached: false })(asked, response)
}

/** A reply with this count. */
export function count(tokens: unknown): Answer {
  return json({ input_tokens: tokens })
}

export const { run: countTokens, sentBy, refusalOf } = asking('count-tokens', counting)
