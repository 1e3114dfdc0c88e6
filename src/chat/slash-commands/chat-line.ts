/** Decides whether a line is a message or a command. */

import { UsageError } from '../../errors.ts'
import { didYouMean, closest } from '../../fields/suggestion.ts'
import { findSlashCommand, similarCommand, slashCommands } from './registry.ts'
import type { SlashCommand } from './slash-command.ts'

export type ChatLine =
  | { readonly kind: 'message'; readonly text: string }
  | SlashCommandLine
  /** Neither sent nor run: it may have been meant as a message. */
  | { readonly kind: 'unknown'; readonly error: UsageError }

/** `argument` is `undefined` if nothing follows the name, not even a space. */
export interface SlashCommandLine {
  readonly kind: 'command'
  readonly command: SlashCommand
  readonly argument: string | undefined
}

/**
 * A command is a slash, a known name, and whitespace or the end. Another word alone is refused. With text after it, only a typo
 * and another program's name of a command are; the rest is a message, as in `/etc is full`. Two slashes begin a message with one.
 * @param prompts The stored prompts, asked for if it is none of the others.
 */
export function parseChatLine(text: string, prompts: () => readonly SlashCommand[] = () => []): ChatLine {
  const meant = similarCommand(text)
  if (meant !== undefined) return unknown(text.trim(), meant)
  const [, indent = '', word, argument] = /^(\s*)\/(\S*)(?:\s+([^]*))?$/.exec(text) ?? []
  if (word === undefined) return { kind: 'message', text }
  if (word.startsWith('/')) return { kind: 'message', text: indent + text.slice(indent.length + 1) }
  const command = findSlashCommand(word)
  if (command) return { kind: 'command', command, argument }
  if (word === '' && argument) return { kind: 'message', text }
  // Paths have other characters.
  if (!/^[\p{L}\d_?-]*$/u.test(word)) return { kind: 'message', text }
  const stored = prompts()
  const prompt = stored.find(({ name }) => name === word)
  if (prompt) return { kind: 'command', command: prompt, argument }
  const names = [...slashCommands, ...stored].map(({ name }) => name)
  const near = closest(word, names)
  const similar = similarCommand(`/${word}`) ?? (near && `/${near}`)
  return argument && similar === undefined ? { kind: 'message', text } : unknown(`/${word}`, similar)
}

/** The line that sends this message: if it looks like a command, with a second slash. @param prompts As for `parseChatLine`. */
export function lineFor(message: string, prompts: () => readonly SlashCommand[]): string {
  const line = parseChatLine(message, prompts)
  return line.kind === 'message' && line.text === message ? message : message.replace('/', '//')
}

/** @param similar The command that may have been meant, with its slash. */
function unknown(name: string, similar: string | undefined): ChatLine {
  const otherwise = name.startsWith('/') ? 'type two slashes' : 'add a word to it'
  const hint = `use /help to list them; to send this as a message, ${otherwise}`
  return {
    kind: 'unknown',
    error: new UsageError(`unknown command ${JSON.stringify(name)}${didYouMean(similar)}`, { hint }),
  }
}

/**
 * The argument for `run`.
 * @throws UsageError if it is missing, or the command takes none: the line may have been meant as a message.
 */
export function argumentOf({ command, argument = '' }: SlashCommandLine): string | undefined {
  const { name, argument: expected, takesText } = command
  const given = argument.trim()
  if (given === '') {
    if (expected?.startsWith('[') === false) throw new UsageError(`/${name}: missing argument ${expected}`)
    return undefined
  }
  if (expected === undefined) {
    throw new UsageError(`/${name} takes no argument`, { hint: 'to send this as a message, type two slashes' })
  }
  const [, single, double] = /^(?:'([^']*)'|"([^"]*)")$/.exec(given) ?? []
  return takesText ? given : (single ?? double ?? given)
}
