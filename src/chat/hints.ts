/** Hints in the words of the chat: most errors come from code that also runs for a command line. */

import { countTokensHint } from '../api/failures.ts'
import { checkBaseUrl, explain, SynError, withHint } from '../errors.ts'
import { seeModels } from '../models/rotation.ts'

/** What a hint names for a command line, and what takes its place: a slash command, or a new start. */
const replacements: readonly (readonly [string | RegExp, string])[] = [
  [countTokensHint, 'use /undo or /new to shorten the conversation; /tokens, like syn count-tokens, counts its tokens'],
  [seeModels, 'Press Tab after /model to list the available models'],
  [checkBaseUrl, `exit the chat, and ${checkBaseUrl}`],
  [/\bsyn sessions(?= to list )/, '/sessions'],
  [/\buse (?=--timeout )/, 'start the chat with '],
  [/\buse (?=syn login\b)/, 'exit the chat, and use '],
]

export function withChatHint(error: unknown): unknown {
  const { hint } = explain(error)
  return error instanceof SynError && hint !== undefined ? withHint(error, hintInChat(hint)) : error
}

function hintInChat(hint: string): string {
  return replacements.reduce((text, [from, to]) => text.replace(from, () => to), hint)
}
