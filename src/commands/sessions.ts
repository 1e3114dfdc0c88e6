import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { answerOptions, requestOptions } from '../fields/request-options.ts'
import { type Json, writeJson, writeJsonLines } from '../io/json.ts'
import { chooseFilter } from '../answer/choose-printer.ts'
import { writeList, writeMatches } from '../conversation/list.ts'
import {
  allBranches,
  currentBranch,
  type Transcript,
  writeConversation,
  writeMarkdown,
} from '../conversation/transcript.ts'
import { type Style } from '../terminal/style.ts'
import { withTarget } from '../io/output.ts'
import { askConfirmation, canAsk } from '../io/question.ts'
import { safe, sanitizeName } from '../io/safe-text.ts'
import { checkName } from '../conversation/id.ts'
import { openStore } from '../conversation/store.ts'
import { searchPattern, searchConversation } from '../conversation/search.ts'
import type { StoredConversation } from '../conversation/folder.ts'

const jsonOption = { json: { kind: 'switch', everyday: true, help: 'Print as JSON' } } as const satisfies Fields

const allOption = {
  all: {
    kind: 'switch',
    everyday: true,
    help: 'Include undone turns and other branches, oldest first',
  },
} as const satisfies Fields

const showOptions = {
  json: { kind: 'switch', everyday: true, help: 'Print the messages as JSON' },
  ...allOption,
  raw: { ...answerOptions.raw, everyday: true },
} as const satisfies Fields

const removeOptions = {
  yes: { kind: 'switch', short: 'y', everyday: true, help: 'Skip the confirmation' },
} as const satisfies Fields

const exportOptions = {
  ...allOption,
  format: {
    kind: 'text',
    choices: ['md', 'json', 'jsonl'],
    default: 'extension of --output, else md',
    everyday: true,
    help: 'Markdown, JSON array, or one message per line',
  },
  output: requestOptions.output,
} as const satisfies Fields

const conversation = {
  name: 'conversation',
  help: 'Name, ID, or ID prefix (at least the date, such as 20261121)',
  completes: 'conversation',
  required: true,
} as const

const allHelp =
  'With --all, JSON has one object per turn and answer: type, ID, parent ID, time, standing (current, taken back, or on ' +
  'another branch), and messages; for an answer, those of all choices.'

const listExamples = [['List all conversations', 'syn sessions']] as const

export default defineCommand({
  description:
    'Without a subcommand, list all conversations, newest first. Conversations on a terminal are saved, unless --no-save ' +
    'or the save setting turns this off; elsewhere only with -c, --session, or --save. Each is a file that only you can ' +
    'read.',
  options: jsonOption,
  examples: [
    ...listExamples,
    ['Show a conversation', 'syn sessions show french'],
    ['Continue it', 'syn chat --session french "And the numbers?"'],
  ],
  run: list,

  subcommands: {
    list: {
      summary: 'List all conversations, newest first',
      description: 'When piped, output is tab-separated: ID, time of the last activity, turns, name, and first words.',
      options: jsonOption,
      examples: [
        ...listExamples,
        ['Print only IDs', 'syn sessions list | cut -f 1'],
        ['Print as JSON', 'syn sessions list --json'],
      ],
      run: list,
    },
    show: {
      summary: 'Print a conversation',
      description: `Print the current branch: all turns up to the latest, and its answer. ${allHelp}`,
      arguments: [conversation],
      options: showOptions,
      examples: [
        ['Show a conversation', 'syn sessions show french'],
        ['Show it with undone turns and other branches', 'syn sessions show french --all'],
        ['Print the latest as JSON', 'syn sessions show --json "$(syn sessions | head -n 1 | cut -f 1)"'],
      ],
      run: show,
    },
    search: {
      summary: 'Search the names and texts of conversations',
      description:
        'The search ignores case. When piped, output is tab-separated: ID, role, and text. Without a match, the exit status ' +
        'is 1.',
      arguments: [{ name: 'text', help: 'Text to search for', required: true, many: true }],
      options: jsonOption,
      examples: [
        ['Search for a word', 'syn sessions search weather'],
        ['Search for several words in a row', 'syn sessions search "weather in Oslo"'],
        ['Print the IDs of the conversations found', 'syn sessions search weather | cut -f 1 | sort -u'],
      ],
      run: search,
    },
    export: {
      summary: 'Export a conversation as Markdown or JSON',
      description: `Read the JSON formats back with syn chat --messages. ${allHelp}`,
      arguments: [conversation],
      options: exportOptions,
      examples: [
        ['Save as Markdown', 'syn sessions export french -o french.md'],
        ['Save as JSON', 'syn sessions export french -o french.json'],
        ['Ask about it in a new request', 'syn sessions export french --format json | syn chat --messages - "Why?"'],
      ],
      run: exportConversation,
    },
    rm: {
      summary: 'Remove conversations',
      arguments: [{ ...conversation, many: true }],
      options: removeOptions,
      examples: [
        ['Remove a conversation', 'syn sessions rm french'],
        ['Remove several', 'syn sessions rm french spanish'],
        ['Remove without confirmation', 'syn sessions rm --yes french'],
      ],
      run: remove,
    },
    rename: {
      summary: 'Rename a conversation',
      arguments: [conversation, { name: 'new', help: 'New name', required: true }],
      examples: [
        ['Rename a conversation', 'syn sessions rename french spanish'],
        ['Name a conversation by its ID', 'syn sessions rename 20261121 french'],
        ['Name the latest', 'syn sessions rename "$(syn sessions | head -n 1 | cut -f 1)" french'],
      ],
      run: rename,
    },
  },
})

async function list(context: CommandContext<Fields, typeof jsonOption>): Promise<void> {
  const { options, io, notices } = context
  const rows = await openStore(context).list()
  if (options.json) return writeJson(rows as unknown as Json, io.out)
  await writeList(rows, io.out, await styleOf(context))
  if (rows.length === 0) await notices.info('no saved conversations')
}

async function show(context: CommandContext<Fields, typeof showOptions>): Promise<void> {
  const { options, io } = context
  const stored = await find(context)
  const { lines, json } = await transcriptOf(stored, options.all, context)
  if (options.json) return writeJson(json, io.out)
  const style = await styleOf(context)
  const newFilter = chooseFilter(options.raw ?? false, context, io.out, style)
  await writeConversation(lines, io.out, style, newFilter, io.signal)
}

async function search(context: CommandContext<Fields, typeof jsonOption>): Promise<void> {
  const { words, options, io, notices } = context
  const text = words.join(' ')
  if (text.trim() === '') throw new UsageError('TEXT is empty')
  const pattern = searchPattern(text)
  const matches = await openStore(context).search((conversation) => searchConversation(conversation, pattern))
  if (options.json) await writeJson(matches as unknown as Json, io.out)
  else await writeMatches(matches, pattern, io.out, await styleOf(context))
  // As grep does: a script asks by the exit status, and with -q by nothing else.
  if (matches.length === 0)
    throw new FailedError(notices.isQuiet ? '' : `no conversation contains ${JSON.stringify(text)}`)
}

async function exportConversation(context: CommandContext<Fields, typeof exportOptions>): Promise<void> {
  const { options, io } = context
  const stored = await find(context)
  const { id, title } = stored.conversation
  const format = options.format ?? formatOf(options.output)
  await withTarget(options.output, io, async (target) => {
    const { lines, json } = await transcriptOf(stored, options.all, context)
    if (format === 'json') return writeJson(json, target)
    if (format === 'jsonl') return writeJsonLines(json, target)
    return writeMarkdown(title || id, lines, target, io.signal)
  })
}

async function transcriptOf(
  { conversation }: StoredConversation,
  isAll = false,
  { notices }: CommandContext,
): Promise<Transcript> {
  const transcript = isAll ? allBranches(conversation) : currentBranch(conversation)
  if (transcript.notice !== undefined) await notices.info(transcript.notice)
  return transcript
}

function formatOf(file = ''): 'md' | 'json' | 'jsonl' {
  if (file.endsWith('.jsonl')) return 'jsonl'
  return file.endsWith('.json') ? 'json' : 'md'
}

async function remove(context: CommandContext<Fields, typeof removeOptions>): Promise<void> {
  const { words, options, io, notices } = context
  const store = openStore(context)
  const selected = new Map<string, StoredConversation>()
  for (const word of words) {
    const stored = await store.find(word)
    selected.set(stored.path, stored)
  }
  const names = [...selected.values()].map(nameWithId).join(', ')
  if (!options.yes) {
    if (!canAsk(io)) throw new UsageError('cannot ask for confirmation without a terminal', { hint: 'use --yes' })
    if (!(await askConfirmation(safe`Remove ${sanitizeName(names)}?`, io, false)))
      return notices.info('nothing removed')
  }
  await store.remove([...selected.values()])
  await notices.info(`removed ${names}`)
}

function nameWithId({ conversation: { id, title, nodes } }: StoredConversation): string {
  const text = nodes.length === 0 && title === '' ? 'empty' : title
  return text === '' ? id : `${id} (${text})`
}

async function rename(context: CommandContext): Promise<void> {
  const { words, notices, settings } = context
  const [, text = ''] = words
  const name = checkName(text, 'NEW')
  const stored = await find(context)
  await settings.learnKey(name)
  await openStore(context).rename(stored, name)
  await notices.info(`renamed ${stored.conversation.id} to ${JSON.stringify(name)}`)
}

/** @throws UsageError if the first word matches no conversation, or several. */
function find(context: CommandContext): Promise<StoredConversation> {
  return openStore(context).find(context.words[0] ?? '')
}

function styleOf({ io, loadStyle }: CommandContext): Promise<Style> {
  return loadStyle(io.out)
}
