/** Text that would take over a terminal, and a service that puts it wherever a reply has text. */

import { replyTo } from './embed.ts'
import { streamed, text, thinking, toolUse } from './messages.ts'
import { delta, end, head } from './chat-chunks.ts'
import { chatEvents, events, json, type Answer } from './service.ts'

/** The clipboard, the title, C1, what reverses text, and a carriage return. */
export const hostile =
  '\u001b]52;c;aGk=\u0007\u001b]0;title\u0007\u009b31m\u202a\u202e\u2066\u2069\u0085\u007fa\rb\u001b[2J\b'

/** A part that JSON and tab-separated lines leave as it is. */
export const hostilePart = '\u009b31m\u202a\u202e\u2066\u2069\u0085'

const sequences = {
  style: /\u001b\[[\d;]*m/g,
  link: /\u001b\]8;;[!-~]*\u001b\\/g,
  /**
   * Cursor moves and erasing, bracketed paste, the keyboard protocols, auto-wrap, the alternate screen, the cursor's
   * visibility, and synchronized output.
   */
  drawing:
    /\u001b\[\d*(?:;\d*)?[A-HJK]|\u001b\[\?(?:7|25|1049|2004|2026)[hl]|\u001b\[(?:>4(?:;1)?m|(?:\?|>5|<)u)|\r|[\b]/g,
}

/**
 * @param isDrawn Whether a spinner, a question or the line editor may draw.
 * @returns the control and bidirectional characters that are not part of syn's own escape sequences.
 */
export function harmfulIn(output: string, isDrawn = false): string[] {
  const rest = output.replaceAll(sequences.style, '').replaceAll(sequences.link, '')
  const bare = isDrawn ? rest.replaceAll(sequences.drawing, '') : rest
  return bare.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069].{0,20}/gs) ?? []
}

const tool = { index: 0, id: 'call_1', type: 'function', function: { name: hostile, arguments: hostile } }

const model = {
  id: `hf:${hostile}`,
  name: hostile,
  [hostile]: { [hostile]: [hostile] },
  input_modalities: [hostile],
  supported_features: [hostile],
  context_length: 8192,
}

/** Replies by the end of the path. */
const replies: Readonly<Record<string, Answer>> = {
  '/chat/completions': (asked, response) => {
    const content = `${hostile}\n\n# ${hostile}\n[${hostile}](http://a.b/${hostile}) &#27;]52;c;aGk=&#7; \`${hostile}\``
    const code = `\n\n\`\`\`${hostile}\n${hostile}\n\`\`\`\n\n| ${hostile} |\n|---|\n| ${hostile} |\n`
    const answer = [delta({ reasoning_content: hostile }), delta(content), delta(code), delta({ tool_calls: [tool] })]
    return events(chatEvents(...answer, end()))(asked, response)
  },
  '/completions': events(chatEvents({ ...head, choices: [{ index: 0, text: hostile, finish_reason: 'stop' }] })),
  '/embeddings': (asked, response) => json({ ...replyTo(asked), model: hostile })(asked, response),
  '/messages': streamed(thinking(0, hostile), text(1, hostile), toolUse(2, hostile, JSON.stringify({ a: hostile }))),
  '/count_tokens': json({ input_tokens: 3, note: hostile }),
  '/quotas': json({
    [hostile]: { limit: 3, requests: 1, renewsAt: hostile, note: hostile },
    subscription: { limit: 3, requests: 1, renewsAt: hostile },
    note: hostile,
  }),
  '/search': json({ results: [{ url: `https://a.b/${hostile}`, title: hostile, text: hostile, published: hostile }] }),
  '/models': json({ data: [model, { id: 'syn:large:text', hugging_face_id: hostile }] }),
}

export const hostileService: Answer = (asked, response) => {
  const [, reply] = Object.entries(replies).find(([path]) => asked.path.split('?')[0]?.endsWith(path)) ?? []
  if (!reply) throw new Error(`no reply to ${asked.path}`)
  return reply(asked, response)
}

/** An error whose every part is hostile. */
export const hostileError = json({ error: { message: hostile, type: hostile, code: hostile } }, 400)

/** An error in the middle of an answer. */
export const hostileEnd = events(
  `${chatEvents(delta('text')).replace('data: [DONE]\n\n', '')}data: ${JSON.stringify({ error: { message: hostile } })}\n\n`,
)
