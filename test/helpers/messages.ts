/** Runs `syn messages` against a service with a short streamed reply; short ways to write the events of a stream. */

import { asking } from './asking.ts'
import { events, json, type Answer } from './service.ts'

export type Event = { type: string; [key: string]: unknown }

/** The start of a message with `tokens` prompt tokens. */
export function start(tokens = 3): Event {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'served', content: [] }
  const usage = { input_tokens: tokens, output_tokens: 0 }
  return { type: 'message_start', message: { ...head, stop_reason: null, stop_sequence: null, usage } }
}

/** The events of one text block, one delta per piece. */
export function text(index: number, ...pieces: string[]): Event[] {
  return block(
    index,
    { type: 'text', text: '' },
    pieces.map((piece) => ({ type: 'text_delta', text: piece })),
  )
}

export function thinking(index: number, ...pieces: string[]): Event[] {
  return block(index, { type: 'thinking', thinking: '', signature: '' }, [
    ...pieces.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
    { type: 'signature_delta', signature: 'c2ln' },
  ])
}

export function redacted(index: number): Event[] {
  return block(index, { type: 'redacted_thinking', data: 'b3BhcXVl' }, [])
}

export function toolUse(index: number, name: string, ...pieces: string[]): Event[] {
  return block(
    index,
    { type: 'tool_use', id: `toolu_${index}`, name, input: {} },
    pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  )
}

/** A block of any type. */
export function block(index: number, opening: object, deltas: object[]): Event[] {
  return [
    { type: 'content_block_start', index, content_block: opening },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

export function end(reason = 'end_turn', sequence: string | null = null): Event[] {
  return [
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: sequence },
      usage: { input_tokens: 3, output_tokens: 2 },
    },
    { type: 'message_stop' },
  ]
}

/** On the wire every event is named after its type. */
export function wire(...chunks: Event[]): string {
  return chunks.map((chunk) => `event: ${chunk.type}\ndata: ${JSON.stringify(chunk)}\n\n`).join('')
}

/** A complete streamed message of these blocks. */
export function streamed(...blocks: Event[][]): Answer {
  return events(wire(start(), ...blocks.flat(), ...end()))
}

/** A message that is not streamed. */
export function whole(content: object[], reason = 'end_turn'): Answer {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'served' }
  const usage = { input_tokens: 3, output_tokens: 2 }
  return json({ ...head, content, stop_reason: reason, stop_sequence: null, usage })
}

export const { run: messages, sentBy, refusalOf } = asking('messages', streamed(text(0, 'Hel', 'lo')))
