import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { answerOptions, jsonOption, requestOptions } from '../fields/request-options.ts'
import type { Json } from '../io/json/json.ts'
import { writeJson } from '../io/json/print.ts'
import { chooseFilter } from '../answer/text-filters.ts'
import { writeList, writeMatches } from '../conversation/list.ts'
import { exportFormatOf, exportFormats, writeExport } from '../conversation/export.ts'
import { allBranches, currentBranch, type Transcript, writeConversation } from '../conversation/transcript.ts'
import { withTarget } from '../io/files/output.ts'
import { confirmRemoval } from '../io/process/question.ts'
import { checkName } from '../conversation/id.ts'
import { openStore } from '../conversation/store.ts'
import { searchConversation, searchWords } from '../conversation/search.ts'
import type { StoredConversation } from '../conversation/folder.ts'

const listOptions = {
  ...jsonOption,
  limit: { kind: 'number', whole: true, minimum: 1, everyday: true, help: 'Maximum number of conversations' },
} as const satisfies Fields

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
    choices: exportFormats,
    default: 'extension of --output, else md',
    everyday: true,
    help: 'Markdown, HTML page, JSON array, or one message per line',
  },
  output: requestOptions.output,
} as const satisfies Fields

const conversation = {
  name: 'conversation',
  help: 'Name, ID, ID prefix (at least the date, such as 20261121), or last for the latest',
  completes: 'conversation',
  required: true,
} as const

const allHelp =
  'With --all, JSON has one object per turn and answer: type, ID, parent ID, time, "standing" ("current" ' +
  'or "on another branch"), and messages; for an answer, those of all choices.'

const listExamples = [['List all conversations', 'syn sessions']] as const

export default defineCommand({
  description:
    'Without a subcommand, list all conversations, newest first. Conversations on a terminal are saved, unless --no-save ' +
    'or the save setting turns this off; elsewhere only with -c, --session, or --save. Each is a file that only you can ' +
    'read.',
  options: listOptions,
  examples: [
    ...listExamples,
    ['Show a conversation', 'syn sessions show french'],
    ['Continue it', 'syn chat --session french "And the numbers?"'],
  ],
  run: list,

  subcommands: {
    list: {
      summary: 'List all conversations, newest first',
      description:
        'When piped, output is tab-separated: ID, time of the last activity, turns, name, first words, and the profile if ' +
        'there are several.',
      options: listOptions,
      examples: [
        ...listExamples,
        ['List the latest ten', 'syn sessions list --limit 10'],
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
        ['Print the latest as JSON', 'syn sessions show --json last'],
      ],
      run: show,
    },
    search: {
      summary: 'Search the names and texts of conversations',
      description:
        'Find the conversations that contain all words, in any order and case. When piped, output is tab-separated: ID, ' +
        'role, and text. Without a match, the exit status is 1.',
      arguments: [{ name: 'word', help: 'Words to search for', required: true, many: true }],
      options: jsonOption,
      examples: [
        ['Search for a word', 'syn sessions search weather'],
        ['Search for several words', 'syn sessions search weather oslo'],
        ['Print the IDs of the conversations found', 'syn sessions search weather | cut -f 1 | sort -u'],
      ],
      run: search,
    },
    export: {
      summary: 'Export a conversation as Markdown, HTML or JSON',
      description: `Read the JSON formats back with syn chat --messages. ${allHelp}`,
      arguments: [conversation],
      options: exportOptions,
      examples: [
        ['Save as Markdown', 'syn sessions export french -o french.md'],
        ['Save as a page for browsers', 'syn sessions export french -o french.html'],
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
        ['Name the latest', 'syn sessions rename last french'],
      ],
      run: rename,
    },
  },
})

async function list(context: CommandContext<Fields, typeof listOptions>): Promise<void> {
  const { options, io, notices } = context
  const rows = (await openStore(context).list()).slice(0, options.limit)
  if (options.json) return writeJson(rows as unknown as Json, io.out)
  await writeList(rows, io.out, await context.loadStyle(io.out))
  if (rows.length === 0) await notices.info('no saved conversations')
}

async function show(context: CommandContext<Fields, typeof showOptions>): Promise<void> {
  const { options, io } = context
  const stored = await find(context)
  const { lines, json } = await transcriptOf(stored, context)
  if (options.json) return writeJson(json, io.out)
  const style = await context.loadStyle(io.out)
  const newFilter = chooseFilter(options.raw ?? false, io, io.out, style)
  await writeConversation(lines, io.out, style, newFilter, io.signal)
}

async function search(context: CommandContext<Fields, typeof jsonOption>): Promise<void> {
  const { words, options, io, notices } = context
  const text = words.join(' ')
  if (text.trim() === '') throw new UsageError('WORD is empty')
  const wanted = searchWords(text)
  const matches = await openStore(context).search((conversation) => searchConversation(conversation, wanted))
  if (options.json) await writeJson(matches as unknown as Json, io.out)
  else await writeMatches(matches, wanted.any, io.out, await context.loadStyle(io.out))
  // Scripts ask by the exit status as they ask grep, and with -q by nothing else.
  if (matches.length === 0)
    throw new FailedError(
      notices.isQuiet
        ? ''
        : `no conversation contains ${wanted.each.length > 1 ? 'all words of ' : ''}${JSON.stringify(text)}`,
    )
}

async function exportConversation(context: CommandContext<Fields, typeof exportOptions>): Promise<void> {
  const { options, io } = context
  const stored = await find(context)
  const { id, title } = stored.conversation
  const format = options.format ?? exportFormatOf(options.output, '--output')
  await withTarget(options.output, io, async (target) => {
    const transcript = await transcriptOf(stored, context)
    await writeExport(transcript, { format, title: title || id }, target, io.signal)
  })
}

async function transcriptOf(
  { conversation }: StoredConversation,
  { options, notices }: CommandContext<Fields, typeof allOption>,
): Promise<Transcript> {
  const transcript = options.all ? allBranches(conversation) : currentBranch(conversation)
  if (transcript.notice !== undefined) await notices.info(transcript.notice)
  return transcript
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
  if (!options.yes && !(await confirmRemoval(names, io))) return notices.info('nothing removed')
  await store.remove([...selected.values()])
  await notices.info(`removed ${names}`)
}

function nameWithId({ conversation: { id, title, nodes } }: StoredConversation): string {
  const text = nodes.length === 0 && title === '' ? 'empty' : title
  return text === '' ? id : `${id} (${text})`
}

async function rename(context: CommandContext): Promise<void> {
  const { words, notices } = context
  const [, text = ''] = words
  const name = checkName(text, 'NEW')
  const stored = await find(context)
  await openStore(context).rename(stored.path, name)
  await notices.info(`renamed ${stored.conversation.id} to ${JSON.stringify(name)}`)
}

/** @throws UsageError if the first word matches no conversation, or several. */
function find(context: CommandContext): Promise<StoredConversation> {
  return openStore(context).find(context.words[0] ?? '')
}
