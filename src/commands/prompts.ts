import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { explain } from '../errors.ts'
import { readPrompt } from '../fields/document.ts'
import type { Fields } from '../fields/field.ts'
import { promptNames, promptPath, promptsFolder, storedPrompt } from '../fields/prompt-file.ts'
import { jsonOption } from '../fields/request-options.ts'
import { decodeText, readInput } from '../io/files/files.ts'
import { writeText } from '../io/io.ts'
import { writeJson } from '../io/json/print.ts'
import { writeColumns } from '../terminal/tab-separated.ts'

const name = { name: 'name', help: 'Name of a prompt', required: true, completes: 'prompt' } as const

export default defineCommand({
  description:
    'Without a subcommand, list the stored prompts and their descriptions; when piped, tab-separated. Each is a Markdown ' +
    'file with a text and, between two lines ---, fields of the request. Use one with -t @NAME, or its text with -s @NAME.',
  options: jsonOption,
  examples: [
    ['List all prompts', 'syn prompts list'],
    ['Write a prompt', 'mkdir -p ~/.config/syn/prompts && nano ~/.config/syn/prompts/review.md'],
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
