import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { answerOptions, requestOptions } from '../fields/request-options.ts'
import { type Json, jsonLines, jsonText } from '../io/json.ts'
import { suggestion } from '../fields/nearest.ts'
import { chooseFilter } from '../answer/choose-printer.ts'
import { searchText, listText, summaryOf } from '../conversation/list.ts'
import {
  conversationMarkdown,
  conversationText,
  allBranches,
  currentBranch,
  type Transcript,
} from '../conversation/transcript.ts'
import { type Style } from '../terminal/style.ts'
import { openTarget } from '../io/output.ts'
import { askConfirmation, canAsk } from '../io/question.ts'
import { checkName } from '../conversation/id.ts'
import { openStore } from '../conversation/store.ts'
import { patternOf, searchConversation } from '../conversation/search.ts'
import type { StoredConversation } from '../conversation/folder.ts'

const jsonOption = { json: { kind: 'switch', help: 'Print one JSON document.' } } as const satisfies Fields

const allOption = {
  all: {
    kind: 'switch',
    help: 'Also what was taken back or is on another branch, in the order in which it was said.',
  },
} as const satisfies Fields

const showOptions = {
  json: { kind: 'switch', help: 'Print its messages as one JSON document.' },
  ...allOption,
  raw: answerOptions.raw,
} as const satisfies Fields

const removeOptions = { yes: { kind: 'switch', short: 'y', help: "Don't ask." } } as const satisfies Fields

const exportOptions = {
  ...allOption,
  format: {
    kind: 'text',
    choices: ['md', 'json', 'jsonl'],
    default: "the ending of FILE's name, else md",
    help: 'Markdown, a JSON array of messages, or a message a line.',
  },
  output: { ...requestOptions.output, help: 'Write to a file.' },
} as const satisfies Fields

const conversation = {
  name: 'conversation',
  help: 'Its name, its id, or the beginning of its id, the date at least.',
  completes: 'conversation',
  required: true,
} as const

const allHelp =
  'With --all, as JSON, all turns and answers: each with its type, its id, the id of its parent, its time, its standing ' +
  '(current, taken back, on another branch), and its messages, of an answer those of all choices.'

const listExamples = [['See what was talked about', 'syn sessions']] as const

const subcommandNames = ['list', 'show', 'search', 'export', 'rm', 'rename']

export default defineCommand({
  description:
    'Conversations on a terminal are kept, unless --no-save or the setting save says otherwise; elsewhere those that ' +
    '-c, --session or --save asks for. Each is a file that you alone can read. Without a subcommand, lists them all, the ' +
    'latest first.',
  options: jsonOption,
  examples: [
    ...listExamples,
    ['Read the one of a name', 'syn sessions show french'],
    ['Go on with it', 'syn chat --session french "And the numbers?"'],
  ],
  async run(context) {
    const [word] = context.words
    if (word !== undefined) {
      throw new UsageError(`there is no subcommand ${JSON.stringify(word)}${suggestion(word, subcommandNames)}`, {
        hint: `there are ${subcommandNames.join(', ')}`,
      })
    }
    await list(context)
  },

  subcommands: {
    list: {
      summary: 'List all conversations, the latest first',
      description: 'Off a terminal a line holds, parted by tabs: id, time of the last words, turns, name, first words.',
      options: jsonOption,
      examples: [...listExamples, ['Print the ids alone', 'syn sessions list | cut -f 1']],
      run: list,
    },
    show: {
      summary: 'Print a conversation',
      description: `What led to the latest turn, and its answer. ${allHelp}`,
      arguments: [conversation],
      options: showOptions,
      examples: [['Read the one of a name', 'syn sessions show french']],
      run: show,
    },
    search: {
      summary: 'Find a text in names and in what was said',
      description: 'Case does not matter. Off a terminal a line holds, parted by tabs: id, who said it, what was said.',
      arguments: [{ name: 'text', help: 'What to look for.', required: true, many: true }],
      options: jsonOption,
      examples: [['Find where it was about the weather', 'syn sessions search weather']],
      run: search,
    },
    export: {
      summary: 'Print a conversation as Markdown or as messages',
      description: `Messages are fit for syn chat --messages. ${allHelp}`,
      arguments: [conversation],
      options: exportOptions,
      examples: [
        ['Keep one as Markdown', 'syn sessions export french -o french.md'],
        ['Ask another model the same', 'syn sessions export french -o french.json'],
      ],
      run: exportOne,
    },
    rm: {
      summary: 'Remove conversations',
      arguments: [{ ...conversation, many: true }],
      options: removeOptions,
      examples: [['Remove one without a question', 'syn sessions rm --yes french']],
      run: remove,
    },
    rename: {
      summary: 'Give a conversation a name',
      arguments: [conversation, { name: 'new', help: 'The name from now on.', required: true }],
      examples: [['Name the latest', 'syn sessions rename "$(syn sessions list | head -n 1 | cut -f 1)" french']],
      run: rename,
    },
  },
})

async function list(context: CommandContext<Fields, typeof jsonOption>): Promise<void> {
  const { options, io, notices } = context
  const rows = (await openStore(context).list()).map(summaryOf)
  if (options.json) return io.out.write(jsonText(rows as unknown as Json, io.out))
  await io.out.write(await listText(rows, io.out, await styleOf(context)))
  if (rows.length === 0) await notices.info('there are no conversations yet')
}

async function show(context: CommandContext<Fields, typeof showOptions>): Promise<void> {
  const { options, io } = context
  const stored = await find(context)
  const { lines, json } = await shownOf(stored, options.all, context)
  if (options.json) return io.out.write(jsonText(json, io.out))
  const style = await styleOf(context)
  const newFilter = chooseFilter(options.raw ?? false, io, io.out, style)
  await io.out.write(await conversationText(lines, io.out, style, newFilter))
}

async function search(context: CommandContext<Fields, typeof jsonOption>): Promise<void> {
  const { words, options, io, notices } = context
  const text = words.join(' ')
  if (text.trim() === '') throw new UsageError('TEXT is empty')
  const pattern = patternOf(text)
  const found = (await openStore(context).list())
    .map((stored) => ({ ...summaryOf(stored), hits: searchConversation(stored.conversation, pattern) }))
    .filter(({ hits }) => hits.length > 0)
  if (options.json) return io.out.write(jsonText(found as unknown as Json, io.out))
  await io.out.write(await searchText(found, pattern, io.out, await styleOf(context)))
  if (found.length === 0) await notices.info(`${JSON.stringify(text)} was not said in any conversation`)
}

async function exportOne(context: CommandContext<Fields, typeof exportOptions>): Promise<void> {
  const { options, io } = context
  const stored = await find(context)
  const target = await openTarget(options.output, io)
  const { lines, json } = await shownOf(stored, options.all, context)
  const format = options.format ?? formatOf(options.output)
  const { id, title } = stored.conversation
  if (format === 'json') await target.write(jsonText(json, target))
  else if (format === 'jsonl') await target.write(jsonLines(json, target))
  else await target.write(await conversationMarkdown(title || id, lines, target))
  await target.commit()
}

async function shownOf(
  { conversation }: StoredConversation,
  isAll = false,
  { notices }: CommandContext,
): Promise<Transcript> {
  const shown = isAll ? allBranches(conversation) : currentBranch(conversation)
  if (shown.notice !== undefined) await notices.info(shown.notice)
  return shown
}

function formatOf(file = ''): 'md' | 'json' | 'jsonl' {
  if (file.endsWith('.jsonl')) return 'jsonl'
  return file.endsWith('.json') ? 'json' : 'md'
}

async function remove(context: CommandContext<Fields, typeof removeOptions>): Promise<void> {
  const { words, options, io, notices } = context
  const store = openStore(context)
  const meant = new Map<string, StoredConversation>()
  for (const word of words) {
    const stored = await store.find(word)
    meant.set(stored.path, stored)
  }
  const names = [...meant.values()].map(nameWithId).join(', ')
  if (!options.yes) {
    if (!canAsk(io)) throw new UsageError('nobody is there to be asked', { hint: '--yes removes without a question' })
    if (!(await askConfirmation(`Remove ${names}?`, io, false))) return notices.info('nothing was removed')
  }
  for (const stored of meant.values()) await store.remove(stored)
  await notices.info(`removed ${names}`)
}

function nameWithId({ conversation: { id, title, nodes } }: StoredConversation): string {
  const shown = nodes.length === 0 && title === '' ? 'nothing is said in it' : title
  return shown === '' ? id : `${id} (${shown})`
}

async function rename(context: CommandContext): Promise<void> {
  const { words, notices } = context
  const [, text = ''] = words
  const name = checkName(text, 'NEW')
  const stored = await find(context)
  await openStore(context).rename(stored, name)
  await notices.info(`${stored.conversation.id} is named ${JSON.stringify(name)} from now on`)
}

/** @throws UsageError when the first word names none. */
function find(context: CommandContext): Promise<StoredConversation> {
  return openStore(context).find(context.words[0] ?? '')
}

function styleOf({ io, loadStyle }: CommandContext): Promise<Style> {
  return loadStyle(io.out)
}
