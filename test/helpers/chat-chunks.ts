/** Chat stream chunks in short notation. */

import { chatEvents, events, json, type Answer } from './service.ts'

export const head = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'served' }

/** A chunk with one choice. */
export function delta(content: object | string, index = 0): object {
  const fields = typeof content === 'string' ? { content } : content
  return { ...head, choices: [{ index, delta: fields, finish_reason: null }] }
}

/** The chunk that ends a choice. */
export function end(reason = 'stop', index = 0): object {
  return { ...head, choices: [{ index, delta: {}, finish_reason: reason }] }
}

/** A streamed answer of these chunks; a string is a piece of the first choice's text. */
export function streamed(...chunks: (object | string)[]): Answer {
  return events(chatEvents(...chunks.map((chunk) => (typeof chunk === 'string' ? delta(chunk) : chunk))))
}

/** A stream that ends after these chunks, without finish reason or terminator. */
export function cut(...chunks: (object | string)[]): Answer {
  return events(
    chatEvents(...chunks.map((chunk) => (typeof chunk === 'string' ? delta(chunk) : chunk))).replace(
      'data: [DONE]\n\n',
      '',
    ),
  )
}

/** A complete answer that is not streamed. */
export function whole(message: object, reason = 'stop'): Answer {
  return json({
    id: 'chat-1',
    object: 'chat.completion',
    created: 1,
    model: 'served',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  })
}
