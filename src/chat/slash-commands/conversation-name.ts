/** The argument of slash commands that name a conversation. */

import { FailedError } from '../../errors.ts'
import type { ChatState } from '../state.ts'
import { emptyQuotes } from './slash-command.ts'

/** @throws FailedError if the conversation is not saved: it can have neither name nor copy. */
export function requireSaved(command: string, { session }: ChatState): void {
  if (session.isSaved) return
  throw new FailedError(`${command}: this conversation is not saved`, { hint: 'use /save FILE to write it to a file' })
}

/** Empty quotes are an empty name, which is refused. */
export function typedName(argument: string): string {
  return argument === emptyQuotes ? '' : argument
}
