import { chmodSync, statSync } from 'node:fs'
import { chatFields } from '../api/chat/fields.ts'
import { completionsFields } from '../api/completions/fields.ts'
import { messagesFields } from '../api/messages/fields.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { explain, reasonOf, UsageError, withHint } from '../errors.ts'
import { readPrompt } from '../fields/document.ts'
import { type Fields, mergeSpecs } from '../fields/field.ts'
import { promptNames, promptPath, promptsFolder, storedPrompt } from '../fields/prompt-file.ts'
import { formatOptions, inputOptions, jsonOption } from '../fields/request-options.ts'
import { headValues } from '../fields/tables.ts'
import { decodeText, readInput } from '../io/files/files.ts'
import { checkWriters, makeFolder, ownerOf } from '../io/files/private.ts'
import { isFile } from '../io/files/stats.ts'
import { type Io, writeText } from '../io/io.ts'
import { quote, writeJson } from '../io/json/print.ts'
import { runEditor } from '../io/process/editor.ts'
import { canAsk } from '../io/process/question.ts'
import { writeColumns } from '../terminal/tab-separated.ts'

const allRows = {
  fields: mergeSpecs(messagesFields, completionsFields, chatFields),
  options: mergeSpecs(inputOptions, formatOptions),
}

const name = { name: 'name', help: 'Name of a prompt', required: true, completes: 'prompt' } as const

export default defineCommand({
  description:
    'Without a subcommand, list the stored prompts and their descriptions; when piped, tab-separated. Each is a Markdown ' +
    'file with a text and, between two lines ---, fields of the request. Use one with -t @NAME, or its text with -s @NAME.',
  options: jsonOption,
  examples: [
    ['List all prompts', 'syn prompts list'],
    ['Write a prompt', 'syn prompts edit review'],
    ['Use it', 'git diff | syn chat -t @review'],
  ],
  run: list,

  subcommands: {
    list: {
      summary: 'List the prompts and their descriptions',
      options: jsonOption,
      examples: [
        ['List all prompts', 'syn prompts list'],
        ['Print only names', 'syn prompts list | cut -f 1'],
        ['Print as JSON', 'syn prompts list --json'],
      ],
      run: list,
    },
    show: {
      summary: 'Print a prompt',
      arguments: [name],
      examples: [
        ['Show a prompt', 'syn prompts show review'],
        ['Copy it', 'syn prompts show review > review.md'],
        ['Page through it', 'syn prompts show review | less'],
      ],
      run: show,
    },
    edit: {
      summary: 'Edit or create a prompt in $VISUAL or $EDITOR',
      arguments: [name],
      examples: [
        ['Edit a prompt', 'syn prompts edit review'],
        ['Use it', 'git diff | syn chat -t @review'],
        ['Edit with nano', 'EDITOR=nano syn prompts edit review'],
      ],
      run: edit,
    },
  },
})

async function list({ options, io, notices }: CommandContext<Fields, typeof jsonOption>): Promise<void> {
  const rows: { name: string; description: string }[] = []
  for (const one of promptNames(io, true)) {
    const reading = readPrompt(`@${promptPath(one, io)}`, 'prompt', io)
    const prompt = await reading.catch((error: unknown) => notices.warn(explain(error).message))
    rows.push({ name: one, description: prompt?.head.get('description')?.value ?? '' })
  }
  if (rows.length === 0) await notices.info(`no prompts in ${promptsFolder(io)}`)
  if (options.json) return writeJson(rows, io.out)
  await writeColumns(
    rows.map((row) => [row.name, row.description]),
    io.out,
  )
}

async function show({ words, io }: CommandContext): Promise<void> {
  const path = storedPrompt(words[0] ?? '', io)
  await writeText(io.out, decodeText(await readInput(path, 'NAME', io), path))
}

/** The path of a stored prompt, which need not exist. @throws UsageError for a name that no prompt can have. */
function newPath([one = '']: readonly string[], io: Io): string {
  const path = promptPath(one, io)
  if (path !== undefined) return path
  throw new UsageError(`NAME: ${quote(one)} is not accepted; expected up to 200 letters, digits, - and _`)
}

/** Creates the folder for a prompt. @throws UsageError in place of a system error, and if others can change the prompt there. */
function makePromptFolder(path: string, io: Io): void {
  try {
    checkWriters(path, ownerOf(io), 'write')
    makeFolder(promptsFolder(io))
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`cannot write ${path}: ${reasonOf(error)}`)
  }
}

async function edit(context: CommandContext): Promise<void> {
  const { words, io, notices } = context
  const path = newPath(words, io)
  if (!canAsk(io)) throw new UsageError('cannot open an editor without a terminal', { hint: `write ${path} yourself` })
  makePromptFolder(path, io)
  const failure = await runEditor(path, io).finally(io.leaveInterrupts())
  // With a umask such as 002, a group could change a new file, and the prompt would be refused.
  if (isFile(path)) chmodSync(path, statSync(path).mode & 0o755)
  if (failure) throw isFile(path) ? withHint(failure, `${path} is kept`) : failure
  if (!isFile(path)) return notices.info(`nothing was created: the editor did not write ${path}`)
  await reportSaved(path, context)
}

/** Says where a prompt is, and warns of fields that no command has. @throws UsageError for a head that is none. */
async function reportSaved(path: string, { io, notices }: Pick<CommandContext, 'io' | 'notices'>): Promise<void> {
  const prompt = await readPrompt(`@${path}`, 'prompt', io)
  // Only the names: of the values, each API accepts others.
  const checking = headValues(prompt, allRows, Object.fromEntries(prompt.head), (model) => Promise.resolve(model))
  await checking.catch((error: unknown) => notices.warn(explain(error).message))
  await notices.info(`saved ${path}`)
}
