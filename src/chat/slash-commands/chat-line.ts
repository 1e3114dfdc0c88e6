/** Decides whether a line is a message or a command. */

import { UsageError } from '../../errors.ts'
import { nearest } from '../../fields/nearest.ts'
import { findSlashCommand, meantCommand, slashCommands } from './registry.ts'
import type { SlashCommand } from './slash-command.ts'

export type ChatLine =
  | { readonly kind: 'message'; readonly text: string }
  /** `argument` is `undefined` if nothing follows the name, not even a space. */
  | { readonly kind: 'command'; readonly command: SlashCommand; readonly argument: string | undefined }
  /** `similar` is the command that may have been meant, with its slash. */
  | { readonly kind: 'unknown'; readonly name: string; readonly similar: string | undefined }

/**
 * A command is a slash, a known name, and whitespace or the end. Two slashes begin a message with one, and so does a path, as
 * in `/usr/bin/foo is broken`. Any other word after a slash is refused: it may be a command of another program.
 */
export function parseChatLine(text: string): ChatLine {
  const meant = meantCommand(text)
  if (meant !== undefined) return { kind: 'unknown', name: text.trim(), similar: meant }
  const [, indent = '', word, argument] = /^(\s*)\/(\S*)(?:\s+([^]*))?$/.exec(text) ?? []
  if (word === undefined) return { kind: 'message', text }
  if (word.startsWith('/')) return { kind: 'message', text: indent + text.slice(indent.length + 1) }
  const command = findSlashCommand(word)
  if (command) return { kind: 'command', command, argument }
  if (word === '' && argument) return { kind: 'message', text }
  // Paths have other characters.
  if (!/^[\p{L}\d_?-]*$/u.test(word)) return { kind: 'message', text }
  const names = slashCommands.map(({ name }) => `/${name}`)
  const similar = meantCommand(`/${word}`) ?? nearest(`/${word}`, names)
  return { kind: 'unknown', name: `/${word}`, similar }
}

/** The argument for `run`. */
export function argumentOf({ command, argument = '' }: Extract<ChatLine, { kind: 'command' }>): string | undefined {
  const given = argument.trim()
  if (given === '') return undefined
  if (command.takesText) return given
  const [, single, double] = /^(?:'([^']*)'|"([^"]*)")$/.exec(given) ?? []
  return single ?? double ?? given
}

/** Why a line is neither sent nor run, if so: it may have been meant as a message. */
export function refusalOf(line: ChatLine): UsageError | undefined {
  if (line.kind === 'message') return undefined
  if (line.kind === 'unknown') {
    const similar = line.similar === undefined ? '' : ` (did you mean ${line.similar}?)`
    return new UsageError(`unknown command ${JSON.stringify(line.name)}${similar}`, {
      hint: line.name.startsWith('/')
        ? 'use /help to list them; to send this as a message, type two slashes'
        : 'use /help to list them; to send this as a message, add a word to it',
    })
  }
  const { name, argument: expected } = line.command
  const isGiven = argumentOf(line) !== undefined
  if (isGiven && expected === undefined) {
    return new UsageError(`/${name} takes no argument`, { hint: 'to send this as a message, type two slashes' })
  }
  if (!isGiven && expected?.startsWith('[') === false) return new UsageError(`/${name}: missing argument ${expected}`)
  return undefined
}
