import { charactersPerToken } from '../answer/usage-text.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { FailedError, SynError, UsageError, withMessage } from '../errors.ts'
import { readJson } from '../fields/document.ts'
import type { Fields } from '../fields/field.ts'
import { invalidValue } from '../fields/problem.ts'
import { toolsFileOption } from '../fields/request-options.ts'
import { writeText } from '../io/io.ts'
import { isObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import { linesOf, safe, sanitizeName } from '../io/text/safe-text.ts'
import { shellWord, shownWord } from '../io/text/shell-word.ts'
import { withSpinner } from '../terminal/spinner.ts'
import type { Column } from '../terminal/table.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import type { OpenTools } from '../tools/open-tools.ts'
import type { Tool } from '../tools/tool.ts'
import type { ToolsFile } from '../tools/tools-file.ts'

const name = { name: 'name', help: 'Tool, server, SERVER/TOOL, or search', completes: 'tool' } as const

export default defineCommand({
  description:
    'Without a subcommand, list the tools and servers of the file. syn chat and syn messages let a model call those that -T or ' +
    '--allow names.',
  options: toolsFileOption,
  examples: [
    ['List all tools and servers', 'syn tools'],
    ['Call a tool', `syn tools run weather '{"city":"Oslo"}'`],
    ['Let a model call it', 'syn chat -T weather "Do I need a coat in Oslo?"'],
  ],
  run: list,

  subcommands: {
    list: {
      summary: 'List the tools of the file, or of a server',
      description:
        'Show the name, the kind, and the description of each tool, or what starts the server. With NAME, start the server and ' +
        'show its tools, with their estimated size in tokens, which each request has, and whether the server claims that they only ' +
        'read. When piped, output is tab-separated.',
      arguments: [name],
      options: toolsFileOption,
      examples: [
        ['List all tools and servers', 'syn tools list'],
        ['List the tools of a server', 'syn tools list files'],
        ['List those of another file', 'syn tools list --tools-file project-tools.json'],
      ],
      run: list,
    },
    run: {
      summary: 'Call a tool without a model',
      arguments: [
        { ...name, required: true },
        { name: 'arguments', help: 'JSON object, @file, or - for stdin (default: {})', completes: '[@]file' },
      ],
      options: toolsFileOption,
      examples: [
        ['Call a tool', `syn tools run weather '{"city":"Oslo"}'`],
        ['Call a tool of a server', `syn tools run files/read_file '{"path":"notes/todo.md"}'`],
        ['Search the web', `syn tools run search '{"query":"man page format"}'`],
      ],
      run,
    },
  },
})

const columns: readonly Column[] = [
  { title: 'NAME' },
  { title: 'KIND' },
  { title: 'TOKENS' },
  { title: 'DESCRIPTION', shrinkOrder: 1, minimum: 10 },
]

type ToolsCommand = CommandContext<Fields, typeof toolsFileOption>

/** Name, kind, size in tokens, and description. */
type Row = readonly [name: string, kind: string, tokens: string, description: string]

async function list(context: ToolsCommand): Promise<void> {
  const { words, io, notices, loadStyle } = context
  const [named] = words
  await using opened = await open(context)
  const tools = named === undefined ? [] : await start(named, opened, context)
  const instructions = opened.instructions(tools)
  if (instructions !== '') await notices.info(instructions)
  const rows = named === undefined ? rowsOfFile(await opened.readFile()) : rowsOfTools(tools)
  if (rows.length === 0) return notices.info(`${named} has no tools`)
  if (!io.out.isTerminal) return io.out.write(tabSeparated(rows))
  const [{ tableLines }, { dim }] = await Promise.all([import('../terminal/table.ts'), loadStyle(io.out)])
  const lines = tableLines(
    columns,
    rows.map((row) => row.map(sanitizeName)),
    { width: io.out.columns(), heading: dim },
  )
  await io.out.write(linesOf(lines))
}

function rowsOfFile({ commands, servers }: ToolsFile): Row[] {
  return [
    ...[...commands].map(([name, { description = '' }]): Row => [name, 'command', '', description]),
    ...[...servers].map(([name, { command = '', args, url }]): Row => {
      return [name, 'server', '', url ?? [command, ...args].map(shellWord).join(' ')]
    }),
    ['search', 'search', '', 'The web search of the service'],
  ]
}

function rowsOfTools(tools: readonly Tool[]): Row[] {
  return tools.map(({ name, label, description = '', parameters, claimsReadOnly }) => {
    const size = JSON.stringify({ name, description, parameters }).length / charactersPerToken
    return [label, claimsReadOnly ? 'claims to read only' : 'tool', String(Math.ceil(size)), description]
  })
}

async function run(context: ToolsCommand): Promise<void> {
  const { words, io } = context
  const [named = '', typed] = words
  const args = typed === undefined ? {} : await readJson(typed, 'ARGUMENTS', io)
  if (!isObject(args)) {
    throw invalidValue('ARGUMENTS', { path: [], found: quote(args), expected: 'a JSON object' })
  }
  await using opened = await open(context)
  const [tool, ...others] = await start(named, opened, context)
  if (!tool || others.length > 0) {
    const hint = `use syn tools list ${shownWord(named, shellWord(named))} to list them`
    throw new UsageError(`NAME: ${quote(named)} is a server; expected one of its tools`, { hint })
  }
  const problem = await tool.problem(args, io.signal)
  if (problem !== undefined) throw new UsageError(`ARGUMENTS: ${problem}`)
  const running = safe`running ${sanitizeName(tool.label)}`
  const { text, isError, errorLine, error } = await withSpinner(running, context, () => tool.call(args, io.signal))
  const failed = `${sanitizeName(tool.label)} failed: ${errorLine}`
  // The search has the exit statuses and hints of every request.
  if (isError) throw error instanceof SynError ? withMessage(error, failed) : new FailedError(failed)
  await writeText(io.out, text === '' || text.endsWith('\n') ? text : `${text}\n`)
}

/** Starts nothing. */
async function open(context: ToolsCommand): Promise<OpenTools> {
  return (await import('../tools/open-tools.ts')).openTools(context.options, context)
}

function start(named: string, { find }: OpenTools, context: ToolsCommand): Promise<readonly Tool[]> {
  return withSpinner(safe`starting ${sanitizeName(named)}`, context, () => find(named))
}
