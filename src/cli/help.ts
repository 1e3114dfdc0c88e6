/** What `--help` prints, made from the tables. */

import type { AnyCommand, Argument, Example } from '../command.ts'
import type { Fields } from '../fields/field.ts'
import { globalOptions, helpOption, versionOption } from '../fields/global-options.ts'
import { everydayFirst, flagTerm, rowHelp } from '../fields/terms.ts'

/** Where the second column begins. */
const column = 32

/** Lines longer than this are hard to read, however wide the terminal is. */
const widest = 100

type Entry = readonly [term: string, help: string]

/**
 * @param path What is typed to reach the command, such as `syn config get`.
 * @param width Of the terminal, in columns.
 */
export function commandHelp(path: string, summary: string, definition: AnyCommand, width: number): string {
  const subcommands = Object.entries(definition.subcommands ?? {})
  const own: readonly Argument[] = definition.arguments ?? []
  const usage = [path, subcommands.length > 0 ? '[COMMAND]' : '', ...own.map(argumentTerm), '[OPTIONS]']
  return sections(width, [
    summary,
    ...(definition.description ? [definition.description] : []),
    ['Usage', [[usage.filter(Boolean).join(' '), '']]],
    ['Commands', subcommands.map(([name, subcommand]): Entry => [name, subcommand.summary])],
    ['Arguments', own.map((argument): Entry => [argumentTerm(argument), argument.help])],
    ['Options', entries(definition.options ?? {})],
    ['Request fields', entries(definition.fields ?? {})],
    ['Global options', entries({ ...globalOptions, ...helpOption })],
    ['Examples', []],
  ]).concat(definition.examples.map(exampleText).join('\n'))
}

export function programHelp(commands: readonly { name: string; summary: string }[], width: number): string {
  return sections(width, [
    'A terminal client for one hosted model-inference API.',
    ['Usage', [['syn COMMAND [OPTIONS]', '']]],
    ['Commands', commands.map(({ name, summary }): Entry => [name, summary])],
    ['Global options', entries({ ...globalOptions, ...helpOption, ...versionOption })],
    'syn COMMAND --help tells more of a command. Start with: syn chat --sandbox "Say hello in three languages"',
  ])
}

function argumentTerm({ name, required, many }: Argument): string {
  const term = `${name.toUpperCase()}${many ? '...' : ''}`
  return required ? term : `[${term}]`
}

function entries(rows: Fields): Entry[] {
  return everydayFirst(rows).map(([name, row]) => [flagTerm(name, row), rowHelp(row)])
}

function exampleText([purpose, line]: Example): string {
  return `  # ${purpose}\n  ${line}\n`
}

type Section = string | readonly [title: string, entries: readonly Entry[]]

function sections(width: number, list: readonly Section[]): string {
  const limit = Math.min(width, widest)
  const texts = list.map((section) => {
    if (typeof section === 'string') return paragraphs(section, limit)
    const [title, rows] = section
    if (rows.length === 0 && title !== 'Examples') return ''
    return [`${title}:`, ...rows.map((row) => entryText(row, limit))].join('\n')
  })
  return `${texts.filter(Boolean).join('\n\n')}\n`
}

/** A term that reaches into the second column pushes its help to the next line. */
function entryText([term, help]: Entry, limit: number): string {
  const head = `  ${term}`
  if (help === '') return head
  const indent = ' '.repeat(limit < 60 ? 8 : column)
  const lines = wrap(help, limit - indent.length).map((line) => indent + line)
  if (head.length + 2 > indent.length) return [head, ...lines].join('\n')
  return [head.padEnd(indent.length) + (lines[0] ?? '').trimStart(), ...lines.slice(1)].join('\n')
}

/** Blank lines part paragraphs. */
function paragraphs(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((paragraph) => wrap(paragraph, width).join('\n'))
    .join('\n\n')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
