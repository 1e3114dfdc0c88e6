/**
 * Makes control characters in untrusted text visible, so that a model cannot move the cursor, set the title or write to
 * the clipboard. For terminals only; elsewhere text passes through unchanged.
 */

// C0 except tab and line feed, DEL, C1, and the two characters that override the direction of the text after them.
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202d\u202e]/g

// Names (of models, tools, files) do not need bidirectional embeddings and isolates either.
const bidirectional = /[\u202a-\u202e\u2066-\u2069]/g

/** For text of several lines. A carriage return before a line feed is removed. */
export function sanitizeForTerminal(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(harmful, symbolFor)
}

/** For names: the result is one line. */
export function sanitizeName(name: string): string {
  return sanitizeForTerminal(name)
    .replace(/[\n\t]/g, ' ')
    .replace(bidirectional, '\ufffd')
}

/** For JSON documents: writes the characters as JSON escapes, so that the value is unchanged. */
export function sanitizeJson(json: string): string {
  return json.replace(harmful, (character) => (character === '\r' ? character : escapeFor(character)))
}

/** ESC → `␛`; a character without a symbol → `�`. */
function symbolFor(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

function escapeFor(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
