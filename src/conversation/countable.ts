/** A conversation of chat messages as the messages request that is counted: the services count in no other form. */

import { toMessage } from '../api/messages/messages.ts'
import type { Json, JsonObject } from '../fields/json.ts'
import { callsOf, roleOf, textOf } from '../transcript/message-text.ts'
import { saidIn } from '../transcript/user-message.ts'

/** What only the other form has, such as calls of tools, counts as its text. */
export function countableOf(messages: readonly Json[]): { system?: string; messages: Json[] } {
  const [first, ...rest] = messages
  const hasSystem = first !== undefined && roleOf(first) === 'system'
  return {
    ...(hasSystem && { system: textOf(first) }),
    messages: (hasSystem ? rest : messages).map(converted),
  }
}

function converted(message: Json): JsonObject {
  if (roleOf(message) !== 'user') {
    return { role: 'assistant', content: [textOf(message), ...callsOf(message)].filter(Boolean).join('\n') }
  }
  return toMessage({ role: 'user', ...saidIn(message) })
}
