import { languages, type Language } from './languages.ts'
import { beginning } from './phrases.ts'
import type { Task } from './task.ts'

/** A program in the language named, and in a second block the command that runs it. */
export function writeCode({ instruction, request }: Task, [, named]: RegExpExecArray): string | undefined {
  const language = namedLanguage(instruction)
  // `… in X` is about code only when X is a language.
  if (named !== undefined && !language) return undefined
  const { name, fence, program, command } = language ?? languages[0]
  const text = beginning(request.replace(/[^\p{L}\p{N} ]+/gu, ' '), 60).replace('…', '')
  return [
    `Here is something in **${name}**. It prints the beginning of what you asked for:`,
    '',
    `\`\`\`${fence}`,
    ...program(text),
    '```',
    '',
    'Run it with:',
    '',
    '```sh',
    command,
    '```',
  ].join('\n')
}

function namedLanguage(instruction: string): Language | undefined {
  const words: readonly string[] = instruction.toLowerCase().match(/[a-z0-9#+-]+/g) ?? []
  return languages.find(({ name, words: others }) =>
    [name.toLowerCase(), ...others].some((word) => words.includes(word)),
  )
}
