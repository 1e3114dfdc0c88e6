/** Decides whether a line is a message or a command. */

import { UsageError } from '../../errors.ts'
import { promptNames } from '../../fields/prompt-file.ts'
import { didYouMean, closest } from '../../fields/suggestion.ts'
import type { Io } from '../../io/io.ts'
import { promptCommand } from './prompt.ts'
import { findSlashCommand, similarCommand, slashCommands } from './registry.ts'
import type { SlashCommand } from './slash-command.ts'

/** What is entered in the line, as the chat, the list below the line and the keys during an answer read it. */
export type ChatLine =
  | { readonly kind: 'message'; readonly entered: string; readonly words: string }
  | SlashCommandLine
  /** Neither sent nor run: it may have been meant as a message. */
  | { readonly kind: 'unknown'; readonly entered: string; readonly error: UsageError }

/** `argument` is `undefined` if nothing follows the name, not even a space. */
export interface SlashCommandLine {
  readonly kind: 'command'
  readonly entered: string
  readonly command: SlashCommand
  readonly argument: string | undefined
}

/** @returns a function that parses each text once while it stays the same: as it is typed, entered and handled. */
export function lineParser(io: Io): (entered: string) => ChatLine {
  let last = parseChatLine('', io)
  return (entered) => {
    // A prompt may have been stored since.
    if (last.entered !== entered || last.kind === 'unknown') last = parseChatLine(entered, io)
    return last
  }
}

/**
 * A command is a slash, a known name, and whitespace or the end. Another word alone is refused. With text after it, only a typo
 * and another program's name of a command are; the rest is a message, as in `/etc is full`. Two slashes begin a message with one.
 */
export function parseChatLine(entered: string, io: Pick<Io, 'env' | 'platform'>): ChatLine {
  const message = (words = entered): ChatLine => ({ kind: 'message', entered, words })
  const typed = entered.trim()
  // Both words exit most programs that read lines, and make no sense as messages.
  const isExit = ['exit', 'quit'].includes(typed)
  const meant = isExit ? undefined : similarCommand(typed)
  if (meant !== undefined) return { kind: 'unknown', entered, error: unknownCommand(typed, meant) }
  const [, indent = '', word, argument] = /^(\s*)\/(\S*)(?:\s+([^]*))?$/.exec(isExit ? `/${typed}` : entered) ?? []
  if (word === undefined) return message()
  if (word.startsWith('/')) return message(indent + entered.slice(indent.length + 1))
  const command = findSlashCommand(word)
  if (command) return { kind: 'command', entered, command, argument }
  // Paths have other characters.
  if ((word === '' && argument) || !/^[\p{L}\d_?-]*$/u.test(word)) return message()
  const foreign = similarCommand(`/${word}`)
  const prompts = promptNames(io)
  if (foreign === undefined && prompts.includes(word)) {
    return { kind: 'command', entered, command: promptCommand(word), argument }
  }
  const near = closest(word, [...slashCommands.map(({ name }) => name), ...prompts])
  const similar = foreign ?? (near && `/${near}`)
  if (argument && similar === undefined) return message()
  return { kind: 'unknown', entered, error: unknownCommand(`/${word}`, similar) }
}

/** The line that sends this message: if it looks like a command, with a second slash. */
export function lineFor(message: string, io: Io): string {
  const line = parseChatLine(message, io)
  return line.kind === 'message' && line.words === message ? message : message.replace('/', '//')
}

/** @param similar The command that may have been meant, with its slash. */
function unknownCommand(name: string, similar: string | undefined): UsageError {
  const otherwise = name.startsWith('/') ? 'type two slashes' : 'add a word to it'
  const hint = `use /help to list them; to send this as a message, ${otherwise}`
  return new UsageError(`unknown command ${JSON.stringify(name)}${didYouMean(similar)}`, { hint })
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
