/** Text that would take over a terminal, and a service that puts it wherever a reply has text. */

import { delta, end, streamed } from './chat-chunks.ts'
import { json, type Answer } from './service.ts'

/** The clipboard, the title, C1, what reverses text, and a carriage return. */
export const hostile =
  '\u001b]52;c;aGk=\u0007\u001b]0;title\u0007\u009b31m\u202a\u202e\u2066\u2069\u0085\u007fa\rb\u001b[2J\b'

const sequences = {
  style: /\u001b\[[\d;]*m/g,
  /**
   * Cursor moves and erasing, bracketed paste, the keyboard protocols, auto-wrap, the alternate screen, the cursor's
   * visibility, and synchronized output.
   */
  drawing:
    /\u001b\[\d*(?:;\d*)?[A-HJK]|\u001b\[\?(?:7|25|1004|1049|2004|2026)[hl]|\u001b\[(?:>4(?:;1)?m|(?:\?|>5|<)u)|\r|[\b]/g,
}

/**
 * @param isDrawn Whether a spinner, a question or the line editor may draw.
 * @returns the control and bidirectional characters that are not part of syn's own escape sequences.
 */
export function harmfulIn(output: string, isDrawn = false): string[] {
  const rest = output.replaceAll(sequences.style, '')
  const bare = isDrawn ? rest.replaceAll(sequences.drawing, '') : rest
  return bare.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069].{0,20}/gs) ?? []
}

const model = { id: `hf:${hostile}`, name: hostile, context_length: 8192, input_modalities: [hostile] }
const block = { limit: 3, requests: 1, renewsAt: hostile, note: hostile }

/** Answers the requests of a chat. */
export const hostileService: Answer = (asked, response) => {
  const content = `${hostile}\n\n# ${hostile}\n[${hostile}](http://a.b/${hostile}) &#27;]52;c;aGk=&#7; \`${hostile}\``
  const code = `\n\n\`\`\`${hostile}\n${hostile}\n\`\`\`\n\n| ${hostile} |\n|---|\n| ${hostile} |\n`
  const answer = streamed(delta({ reasoning_content: hostile }), content, code, end())
  const reply = asked.path.endsWith('/models')
    ? json({ data: [model] })
    : asked.path.endsWith('/quotas')
      ? json({ [hostile]: block, subscription: block })
      : answer
  return reply(asked, response)
}
